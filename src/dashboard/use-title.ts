import { useEffect } from 'react';

/** Names the page in the tab, in bookmarks, and to screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Footfall`;
  }, [title]);
}
