import type { KnownProduct } from './product.ts';

/** Of an item that comes twice the last counts; its variants come one after the other. */
export function joinProducts(before: KnownProduct, product: KnownProduct): KnownProduct {
  const variants = new Map(
    [...(before.patch.variants ?? []), ...(product.patch.variants ?? [])].map((one) => [one.id, one]),
  );
  const fields = { ...before.patch.fields, ...product.patch.fields };
  const patch = { ...product.patch, fields, ...(variants.size > 0 && { variants: [...variants.values()] }) };
  return { patch, categories: product.categories.length > 0 ? product.categories : before.categories };
}

/** A category that has no id is called as the way to it. */
export function categoryIdOf(path: readonly string[]): string {
  return path.join(' > ').slice(0, 255).toWellFormed();
}
