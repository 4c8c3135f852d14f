import { useNames } from '../../../conditions/use-names.ts';
import { usePools } from '../../coupons/use-pools.ts';
import { useMessageTemplates } from '../../templates/use-templates.ts';

const ID = /“?\b([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b”?/gi;

/** A text in which lists, segments, templates and coupon pools have their names instead of their ids, once these are known. */
export function Named({ children }: { children: string }) {
  return children.search(ID) < 0 ? children : <WithNames text={children} />;
}

/** As `stepWords` says them. */
const OF_TEMPLATE = /\btemplate [0-9a-f]{8}-/i;
const OF_POOL = /\bpool [0-9a-f]{8}-/i;

/** Only here names have to be read. */
function WithNames({ text }: { text: string }) {
  const names = useNames();
  const pools = usePools({ enabled: OF_POOL.test(text) });
  const templates = useMessageTemplates({ enabled: OF_TEMPLATE.test(text) });
  return text.replace(ID, (found, id: string) => {
    const named = [...(templates ?? []), ...(pools ?? [])];
    const name = names(id.toLowerCase()) ?? named.find((one) => one.id === id.toLowerCase())?.name;
    return name === undefined ? found : `“${name}”`;
  });
}
