// writers for stores; modes: kill, move, stop. Verifies acknowledged keys are stored.
import { execSync } from 'node:child_process';
import pg from '/work/wt/citus/node_modules/pg/lib/index.js';
const base = process.env.BASE ?? 'http://127.0.0.1:3950';
const keys = process.env.KEYS!.split(','); const stores = process.env.STORES!.split(',');
const mode = process.argv[2]; const run = `c${Date.now()}`; const WR = Number(process.env.WRITERS ?? 8);
const acked: string[][] = keys.map(() => []); const fails: Record<string, number>[] = keys.map(() => ({})); const lastFail: number[] = keys.map(() => 0); const firstFail: number[] = keys.map(() => 0);
let slow = keys.map(() => 0);
let stop = false; let n = 0;
const writer = async (s: number, w: number) => { while (!stop) { const key = `${run}-${s}-${n++}`; const t0 = Date.now();
  const bulk = w === 0; const body = bulk ? { events: Array.from({ length: 20 }, (_, i) => ({ event_type: 'x', profile: { email: `b${(n + i) % 500}@e.com` }, properties: {}, idempotency_key: `${key}-${i}` })) } : w === 1 ? { event_type: 'x', profile: { email: `u${n % 50}@e.com`, external_id: `e${n % 50}` }, properties: {}, idempotency_key: key } : { event_type: 'x', profile: { email: `u${n % 500}@e.com` }, properties: {}, idempotency_key: key };
  try { const r = await fetch(`${base}/v1/events${bulk ? '/bulk' : ''}`, { method: 'POST', headers: { authorization: `Bearer ${keys[s]}`, 'content-type': 'application/json' }, body: JSON.stringify(body) }); const text = await r.text();
    if (r.status === 201) { if (bulk) for (let i = 0; i < 20; i++) acked[s].push(`${key}-${i}`); else acked[s].push(key); }
    else { const code = `${r.status} ${JSON.parse(text).error?.code}`; fails[s][code] = (fails[s][code] ?? 0) + 1; lastFail[s] = Date.now(); firstFail[s] ||= Date.now(); await new Promise((r) => setTimeout(r, 50)); } } catch (e) { fails[s][String(e)] = (fails[s][String(e)] ?? 0) + 1; }
  slow[s] = Math.max(slow[s], Date.now() - t0); } };
const all = keys.flatMap((_, s) => Array.from({ length: WR }, (_, w) => writer(s, w)));
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms));
const co = new pg.Client('postgres://postgres@127.0.0.1:9700/t'); await co.connect();
await wait(4000); let upAt = 0;
if (mode === 'kill') { execSync('/tmp/citus-cluster.sh kill 1'); await wait(8000); const ready = await fetch(`${base}/health/ready`); console.log('ready', ready.status, await ready.text()); execSync('/tmp/citus-cluster.sh startnode 1'); upAt = Date.now(); await wait(4000); }
if (mode === 'stop') { const pm = execSync('head -1 /var/tmp/citus/n1/postmaster.pid').toString().trim(); const sig = (s: string) => execSync(`for p in ${pm} $(ps -o pid= --ppid ${pm}); do kill -${s} $p; done`); sig('STOP'); await wait(8000); sig('CONT'); upAt = Date.now(); await wait(5000); }
if (mode.startsWith('move')) { for (let k = 0; k < Number(process.env.MOVES ?? 2); k++) { const { rows: [p] } = await co.query(`select s as shard, nodeport as port from (select get_shard_id_for_distribution_column('profile', $1::uuid) s) x join pg_dist_placement p on p.shardid = s join pg_dist_node using (groupid)`, [stores[0]]);
  const to = p.port === 9701 ? 9702 : 9701; const t = Date.now(); try { await co.query(`select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, shard_transfer_mode := '${mode === 'moveblock' ? 'block_writes' : 'force_logical'}')`, [p.shard, p.port, to]); console.log('moved', p.shard, p.port, '->', to, Date.now() - t, 'ms'); } catch (e) { console.log('move failed', e.message, e.detail, e.hint); } await wait(3000); } }
stop = true; await Promise.all(all); await wait(500);
for (let s = 0; s < keys.length; s++) { const { rows } = await co.query(`select key, count(*)::int n from idempotency_key where store_id = $1 and key like $2 group by 1`, [stores[s], `${run}-%`]); const stored = new Set(rows.map((r) => r.key)); const ev = await co.query(`select idempotency_key k from event where store_id = $1 and idempotency_key like $2`, [stores[s], `${run}-%`]); const evs = new Map<string, number>(); for (const { k } of ev.rows) evs.set(k, (evs.get(k) ?? 0) + 1);
  const lost = acked[s].filter((k) => !stored.has(k) || !evs.has(k)); const twice = [...evs.values()].filter((v) => v > 1).length;
  const { rows: [pl] } = await co.query(`select nodeport from pg_dist_placement join pg_dist_node using (groupid) where shardid = get_shard_id_for_distribution_column('profile', $1::uuid)`, [stores[s]]);
  console.log(`store ${s} on ${pl.nodeport}: acked ${acked[s].length}, stored ${evs.size}, lost ${lost.length}, twice ${twice}, fails ${JSON.stringify(fails[s])}, slowest ${slow[s]} ms, last fail ${upAt && lastFail[s] ? lastFail[s] - upAt : '-'} ms after up; fail span ${lastFail[s] - firstFail[s]}`); if (lost.length) console.log('  e.g.', lost.slice(0, 3)); }
await co.end();
