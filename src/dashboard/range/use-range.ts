import { useTimeZone } from '../session/time-zone.ts';
import { useFilters } from '../use-filters.ts';
import { type Day, dayIn } from './days.ts';
import {
  type Compare,
  type Comparison,
  comparedDays,
  compareOf,
  customDays,
  type Days,
  daysOf,
  isComparison,
  isPreset,
  PRESETS,
  type Preset,
} from './range.ts';

const STORED = 'footfall-range';
const NAMES = ['range', 'from', 'to', 'compare'] as const;
type Filters = { [N in (typeof NAMES)[number]]?: string };

/** The time that a page shows: what reports of days take as `from`, `to` and `compare`, and how to choose another. */
export interface ShownRange extends Days {
  preset: Preset;
  /** What it is called: `30 days`; of a custom one, nothing. */
  label: string | undefined;
  timeZone: string;
  /** Today, in that time zone. */
  today: Day;
  comparison: Comparison;
  /** The same as reports take it. */
  compare: Compare | undefined;
  /** The days that it is compared with. */
  compared: Days | undefined;
  choose: (change: { preset?: Preset; from?: Day; to?: Day; comparison?: Comparison }) => void;
}

/**
 * The range in the address or, where that names none, the one that was last chosen in this browser. Days are those of the store's
 * time zone.
 */
export function useRange(): ShownRange {
  const [inAddress, setFilters] = useFilters(NAMES);
  const timeZone = useTimeZone();
  const stored = readStored();
  const { range = '30_days', from, to } = isPreset(inAddress.range) ? inAddress : stored;
  const chosen = inAddress.compare ?? stored.compare;
  const preset = isPreset(range) ? range : '30_days';
  const today = dayIn(timeZone, Date.now());
  const days =
    preset === 'custom' ? customDays({ ...(from && { from }), ...(to && { to }) }, today) : daysOf(preset, today);
  const comparison = isComparison(chosen) ? chosen : 'previous_period';
  const compare = compareOf(comparison, preset);
  return {
    ...days,
    preset,
    label: preset === 'custom' ? undefined : PRESETS[preset],
    timeZone,
    today,
    comparison,
    compare,
    compared: compare && comparedDays(days, compare, today),
    choose: (change) => {
      const range = change.preset ?? preset;
      const isCustom = range === 'custom';
      const filters = {
        range,
        // Whoever begins to choose days begins with those that are shown.
        from: isCustom ? (change.from ?? days.first) : undefined,
        to: isCustom ? (change.to ?? days.last) : undefined,
        compare: change.comparison ?? comparison,
      };
      localStorage.setItem(STORED, JSON.stringify(filters));
      setFilters(filters);
    },
  };
}

function readStored(): Filters {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '{}');
    return typeof stored === 'object' && stored !== null ? stored : {};
  } catch {
    return {};
  }
}
