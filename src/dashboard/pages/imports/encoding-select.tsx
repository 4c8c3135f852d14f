import { Select } from '@mantine/core';
import { ENCODINGS } from './file-text.ts';

/** In which encoding a file is read; without one, in what it looks like. */
export function EncodingSelect({
  value,
  description,
  onChange,
}: {
  value: string | null;
  description?: string | undefined;
  onChange: (encoding: string | null) => void;
}) {
  return (
    <Select
      label="Encoding"
      description={description}
      placeholder="What the file looks like"
      clearable
      clearButtonProps={{ 'aria-label': 'Choose no encoding' }}
      data={Object.entries(ENCODINGS).map(([encoding, label]) => ({ value: encoding, label }))}
      value={value}
      onChange={onChange}
    />
  );
}
