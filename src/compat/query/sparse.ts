/**
 * Returns a resource with only those attributes that a sparse fieldset (`fields[profile]=email,created`) names; with all
 * of them where there is none. Names that it does not have are ignored, as the third party does.
 */
export function pickAttributes<Resource extends { attributes: object }>(
  resource: Resource,
  names: readonly string[] | undefined,
): Resource {
  if (!names) return resource;
  const wanted = new Set(names.map((name) => name.trim().split('.')[0]));
  const attributes = Object.fromEntries(Object.entries(resource.attributes).filter(([name]) => wanted.has(name)));
  return { ...resource, attributes: attributes as Resource['attributes'] };
}
