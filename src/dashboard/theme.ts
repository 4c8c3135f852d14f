import { type CSSVariablesResolver, createTheme } from '@mantine/core';

const FONT = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

/** The header of a dialog is not one of the page. */
const DIALOG = { closeButtonProps: { 'aria-label': 'Close' }, attributes: { header: { role: 'none' } } };

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  fontFamily: FONT,
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, 'DejaVu Sans Mono', monospace",
  headings: {
    fontFamily: FONT,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Paper: { defaultProps: { withBorder: true, p: 'md' } },
    Badge: { defaultProps: { variant: 'light', tt: 'none' } },
    NavLink: { defaultProps: { bdrs: 'md' } },
    Tooltip: { defaultProps: { withArrow: true, events: { hover: true, focus: true, touch: true } } },
    Drawer: { defaultProps: DIALOG },
    Modal: { defaultProps: { ...DIALOG, centered: true } },
    Notification: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Dismiss' },
        styles: { description: { color: 'var(--mantine-color-dimmed)' } },
      },
    },
  },
});

/** Colours that can be read: the library's own have too little contrast for small text. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': '#1b1f27',
    '--mantine-color-dimmed': '#5a6270',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-8)',
    '--mantine-color-green-light-color': '#1b6430',
    '--mantine-color-yellow-light-color': '#7a4100',
    '--mantine-color-red-light-color': '#a51d1d',
    '--mantine-color-orange-light-color': '#8a3600',
    '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
    '--footfall-backdrop': '#f6f7f9',
    '--footfall-surface': '#ffffff',
  },
  dark: {
    '--mantine-color-dimmed': '#a3a8b0',
    '--mantine-color-placeholder': '#9197a1',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
    '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
    '--footfall-backdrop': '#1a1b1e',
    '--footfall-surface': 'var(--mantine-color-dark-7)',
  },
});
