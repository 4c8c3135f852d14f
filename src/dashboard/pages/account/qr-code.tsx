import { Box } from '@mantine/core';
import { encode } from 'uqr';

/** Modules of white around it, which readers need. */
const BORDER = 4;

/** A text as a QR code: dark on white in every colour scheme, as some apps read it in no other way. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: BORDER });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <Box bg="white" w={220} maw="100%">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges" display="block">
        <path d={path} fill="black" />
      </svg>
    </Box>
  );
}
