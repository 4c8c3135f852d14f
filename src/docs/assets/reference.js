/* Configures the reference. In a file of its own, because the page's policy lets no script in the page run. */

// A library of Scalar's tries whether it may make code of text, and does without where it may not. The policy forbids it,
// and browsers would report the attempt as an error.
globalThis.Function = new Proxy(Function, {
  apply() {
    throw new EvalError('Code is not made of text here');
  },
});

addEventListener('DOMContentLoaded', () => {
  const place = document.getElementById('content');
  const { surface } = place.dataset;
  // It would take what there was to read so far for a page of its own.
  place.replaceChildren();
  globalThis.Scalar.createApiReference(place, {
    url: `/openapi/${surface}.yaml`,
    // Try-it talks to the service that has served the page, and to nobody else.
    servers: [{ url: location.origin }],
    // Scalar takes the scheme word of the compatibility surface for that of a password.
    authentication: { preferredSecurityScheme: surface === 'native' ? 'apiKey' : 'bearer' },
    telemetry: false,
    withDefaultFonts: false,
    hideClientButton: true,
    mcp: { disabled: true },
    agent: { disabled: true },
    showDeveloperTools: 'never',
    documentDownloadType: 'direct',
    // Light or dark is the browser's choice, as on the other pages.
    hideDarkModeToggle: true,
    // They are shown with the operations.
    hideModels: true,
    defaultOpenAllTags: true,
  });
});
