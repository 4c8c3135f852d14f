import type { BlockStyle, Font } from './blocks.ts';

/** Fonts that devices have, each with what stands in for it. */
const FONTS: Record<Font, string> = {
  arial: 'Arial, Helvetica, sans-serif',
  courier: "'Courier New', Courier, monospace",
  georgia: 'Georgia, Times, serif',
  helvetica: 'Helvetica, Arial, sans-serif',
  tahoma: 'Tahoma, Verdana, sans-serif',
  times: "'Times New Roman', Times, serif",
  trebuchet: "'Trebuchet MS', Tahoma, sans-serif",
  verdana: 'Verdana, Geneva, sans-serif',
};

/** A style without gaps. */
export interface Look {
  width: number;
  font: string;
  background: string;
  content: string;
  text: string;
  link: string;
  button: string;
  buttonText: string;
  dark: { background: string; content: string; text: string; link: string };
}

export function lookOf(style: BlockStyle = {}): Look {
  const { dark = {} } = style;
  return {
    width: style.width ?? 600,
    font: FONTS[style.font ?? 'arial'],
    background: style.background_color ?? '#f4f4f5',
    content: style.content_color ?? '#ffffff',
    text: style.text_color ?? '#1f2328',
    link: style.link_color ?? '#0b5cad',
    button: style.button_color ?? '#0b5cad',
    buttonText: style.button_text_color ?? '#ffffff',
    dark: {
      background: dark.background_color ?? '#111214',
      content: dark.content_color ?? '#1c1d20',
      text: dark.text_color ?? '#e8e8ea',
      link: dark.link_color ?? '#8ab4f8',
    },
  };
}

/** Names the classes that blocks have. Buttons keep their colours, and so do images. */
export function headOf({ font, text, dark }: Look): string {
  return `<mj-attributes>
<mj-all font-family="${font}" />
<mj-text font-size="16px" line-height="1.5" color="${text}" />
</mj-attributes>
<mj-raw><meta name="color-scheme" content="light dark" /><meta name="supported-color-schemes" content="light dark" /></mj-raw>
<mj-style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  body, .page { background-color: ${dark.background} !important; }
  .content, .content > table { background: ${dark.content} !important; }
  .words, .words div, .words p, .words li, .words h1, .words h2, .words h3 { color: ${dark.text} !important; }
  .words a { color: ${dark.link} !important; }
}
</mj-style>`;
}
