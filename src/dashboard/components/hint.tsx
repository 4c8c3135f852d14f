import { Tooltip } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useState } from 'react';

/** What the element has to have that a hint is for. */
interface Handlers {
  onPointerEnter: (event: SyntheticEvent<HTMLElement>) => void;
  onPointerLeave: () => void;
  onFocus: (event: SyntheticEvent<HTMLElement>) => void;
  onBlur: () => void;
}

/** A tooltip that is made once somebody points at what it is for: tables have hundreds of them, which would slow them. */
export function Hint({ label, children }: { label: ReactNode; children: (handlers: Handlers) => ReactNode }) {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const show = ({ currentTarget }: SyntheticEvent<HTMLElement>) => setTarget(currentTarget);
  const hide = () => setTarget(null);
  return (
    <>
      {children({ onPointerEnter: show, onPointerLeave: hide, onFocus: show, onBlur: hide })}
      {target && <Tooltip opened target={target} label={label} />}
    </>
  );
}
