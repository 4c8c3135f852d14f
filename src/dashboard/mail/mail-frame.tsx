import { Box, Checkbox, Group, SegmentedControl, Stack } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { STYLE_NONCE } from '../nonce.ts';
import { mailDocument } from './mail-document.ts';
import classes from './mail-frame.module.css';

/** Pixels that a mail program gives it. */
const WIDTHS = { narrow: 390, wide: 720 } as const;
const HEIGHT = 640;

/** The HTML of an e-mail, foreign as it is, in a frame that lets it do nothing; as on a phone or a desk, light or dark. */
export function MailFrame({ html, title }: { html: string; title: string }) {
  const [size, setSize] = useState<keyof typeof WIDTHS>('wide');
  const [loadsImages, setLoadsImages] = useState(false);
  const [isDark, setDark] = useState(false);
  const scheme = isDark ? 'dark' : 'light';
  const { ref, width: room } = useElementSize();
  const document = useMemo(() => mailDocument(html, STYLE_NONCE, { loadsImages, scheme }), [html, loadsImages, scheme]);
  const width = WIDTHS[size];
  const scale = room > 0 ? Math.min(1, room / width) : 1;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          size="xs"
          aria-label="Width"
          data={[
            { value: 'wide', label: 'Wide' },
            { value: 'narrow', label: 'Narrow' },
          ]}
          value={size}
          onChange={(value) => setSize(value as typeof size)}
        />
        <Checkbox label="Dark" checked={isDark} onChange={({ currentTarget }) => setDark(currentTarget.checked)} />
        <Checkbox
          label="Load images of other hosts"
          checked={loadsImages}
          onChange={({ currentTarget }) => setLoadsImages(currentTarget.checked)}
        />
      </Group>
      <Box ref={ref} className={classes.room} h={HEIGHT}>
        <iframe
          // Another policy takes another document.
          key={String(loadsImages)}
          className={classes.frame}
          title={title}
          sandbox=""
          srcDoc={document}
          style={{ colorScheme: scheme, width, height: HEIGHT / scale, transform: `scale(${scale})` }}
        />
      </Box>
    </Stack>
  );
}
