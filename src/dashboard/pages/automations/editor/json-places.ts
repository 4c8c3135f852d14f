const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The path of each value of a JSON text (`steps[3].cases[0]`), with the offset at which it or its name begins. */
export function placesIn(text: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  // Around the current place: the path of each object or list, and the index in lists.
  const around: { path: string; index: number | undefined }[] = [];
  let path = '';
  let isName = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const inner = around.at(-1);
    if (token === '}' || token === ']') {
      around.pop();
    } else if (token === ',') {
      if (inner?.index === undefined) isName = true;
      else inner.index += 1;
    } else if (token !== ':') {
      if (isName && inner) {
        const name = JSON.parse(token) as string;
        path = inner.path === '' ? name : `${inner.path}.${name}`;
        places.set(path, index);
        isName = false;
        continue;
      }
      if (inner?.index !== undefined) {
        path = `${inner.path}[${inner.index}]`;
        places.set(path, index);
      }
      if (token === '{' || token === '[') {
        around.push({ path, index: token === '[' ? 0 : undefined });
        isName = token === '{';
      }
    }
  }
  return places;
}

/** The offset of a field, or of the nearest around it. */
export function placeOf(places: ReadonlyMap<string, number>, field: string): number {
  for (let path = field; path !== ''; path = path.replace(/(?:^|\.)[^.[\]]*$|\[\d+\]$/, '')) {
    const offset = places.get(path);
    if (offset !== undefined) return offset;
    if (!/[.[]/.test(path)) break;
  }
  return 0;
}
