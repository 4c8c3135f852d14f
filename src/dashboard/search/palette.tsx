import { Loader, Modal, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { SearchIcon } from '@primer/octicons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Failure } from '../components/states.tsx';
import { useHits } from './hits.ts';
import { Results } from './results.tsx';
import { matching, type Target, useOwnTargets } from './targets.ts';

/** Milliseconds after the last keystroke. */
const PAUSE_MS = 150;
const MAX_LENGTH = 255;
/** By how many the keys move the choice; the ends meet. */
const MOVES: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** Finds whatever there is by what is typed, and goes there: with the keyboard alone, if one likes. */
export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const isWanted = useRef(false);
  const listId = useId();
  const typed = text.trim();
  const [asked] = useDebouncedValue(typed, PAUSE_MS);
  const own = useOwnTargets();
  const { targets: found, incomplete, error, isSettled } = useHits(asked);
  const pages = matching(own, typed);
  const targets = [...pages, ...(typed === '' ? [] : found)];
  const current = Math.min(chosen, targets.length - 1);
  const isReady = isSettled && asked === typed;

  const go = ({ to }: Target) => {
    onClose();
    navigate(to);
  };
  // Enter was pressed before the answer was there.
  useEffect(() => {
    const [first] = targets;
    if (!isReady || !isWanted.current) return;
    isWanted.current = false;
    if (first) go(first);
  });
  const press = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (move !== undefined && targets.length > 0) {
      event.preventDefault();
      setChosen((current + move + targets.length) % targets.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const target = targets[current];
      if (target && (isReady || chosen > 0 || pages.length > 0)) go(target);
      else isWanted.current = !isReady;
    }
  };

  return (
    <Modal opened onClose={onClose} title="Search" size="lg" centered={false} yOffset="8vh">
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Search for"
        aria-expanded={targets.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={current < 0 ? undefined : `${listId}-${current}`}
        placeholder="A customer, a number, a name, a page"
        leftSection={<SearchIcon />}
        rightSection={!isReady && <Loader size="xs" />}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
          isWanted.current = false;
        }}
        onKeyDown={press}
        mb="sm"
      />
      {error && <Failure error={error} title="Only pages are searched" />}
      <Results id={listId} targets={targets} current={current} onChoose={setChosen} onPick={go} />
      <Text role="status" size="sm" c="dimmed" px="sm">
        {isReady && targets.length === 0 && incomplete.length === 0 && 'Nothing is found by this.'}
        {isReady &&
          incomplete.length > 0 &&
          `There may be more than this: ${incomplete.join(', ').toLowerCase()}. Type more of the name.`}
      </Text>
    </Modal>
  );
}
