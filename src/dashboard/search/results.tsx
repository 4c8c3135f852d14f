import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './palette.module.css';
import type { Target } from './targets.ts';

/** What a search has found, by groups. One of them is `current`, which the keyboard moves. */
export function Results({
  id,
  targets,
  current,
  onChoose,
  onPick,
}: {
  id: string;
  targets: readonly Target[];
  current: number;
  onChoose: (n: number) => void;
  onPick: (target: Target) => void;
}) {
  const chosen = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (current >= 0) chosen.current?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const groups = [...new Set(targets.map(({ group }) => group))];
  return (
    <div id={id} role="listbox" aria-label="What is found" className={classes.results} tabIndex={-1}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: groups of options of a listbox, not of a form
        <div key={group} role="group" aria-label={group}>
          <Text size="xs" fw={600} c="dimmed" className={classes.group} aria-hidden>
            {group}
          </Text>
          {targets.map((target, n) => {
            if (target.group !== group) return null;
            const { to, label, detail, Icon } = target;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the field, as in any combobox
              <div
                key={to}
                id={`${id}-${n}`}
                ref={n === current ? chosen : undefined}
                role="option"
                tabIndex={-1}
                aria-selected={n === current}
                className={classes.option}
                onClick={() => onPick(target)}
                onMouseMove={() => n !== current && onChoose(n)}
              >
                <Icon />
                <div className={classes.words}>
                  <Text size="sm" truncate>
                    {label}
                  </Text>
                  {detail && (
                    <Text size="xs" c="dimmed" truncate>
                      {detail}
                    </Text>
                  )}
                </div>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
