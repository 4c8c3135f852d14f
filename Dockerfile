# The service, or with the argument `worker` a process for bulk jobs, or any other command of `footfall`.
# Postgres and Redis are others': DATABASE_URL must be set.

FROM node:26.10.0-trixie-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:26.10.0-trixie-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional ones are a Node, which the image has, and the embedded Postgres.
RUN npm ci --omit=dev --omit=optional

FROM node:26.10.0-trixie-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json README.md ./
COPY scripts/footfall.mjs scripts/installed.mjs scripts/
COPY --from=build /build/dist/service dist/service
# The image's user `node`; by number, for those who check that it is not root. The files stay root's.
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "scripts/footfall.mjs"]
CMD ["start"]
