/** Returns the line that a page loads the script with, which sends what its visitors do. */
export function scriptElement(publicKey: string): string {
  const src = `${window.location.origin}/compat/v1/onsite/js/klaviyo.js?company_id=${publicKey}`;
  return `<script async src="${src}"></script>`;
}
