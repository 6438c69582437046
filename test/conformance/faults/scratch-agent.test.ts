import { it } from 'vitest';
import { writeFileSync } from 'node:fs';
import { BREAKS, type Break } from '../agents/breaks.ts';
import { judgeBroken } from '../agents/judge-test-agent.ts';
import { AGENT_SCENARIOS, checkIds } from '../../../src/conformance/index.ts';
it('prints', async () => {
  const all = new Set<string>(); const lines: string[] = []; const table: Record<string, string[]> = {};
  for (const name of Object.keys(BREAKS) as Break[]) {
    const results = await judgeBroken([name]);
    const bad = results.flatMap(({ checks }) => checks).filter(({ status }) => status === 'fail' || status === 'warn');
    const odd = results.flatMap(({ checks }) => checks).filter(({ status }) => status === 'untestable');
    for (const { id } of bad) all.add(id);
    table[name] = bad.map(({ id }) => id);
    lines.push(`${name} → ${bad.map(({ id }) => id).join(', ') || 'NOTHING'} | untestable ${odd.length} ${odd.filter(({reason}) => reason?.includes('defect')).map((o) => o.id + o.reason).join()}`);
  }
  const missing = AGENT_SCENARIOS.flatMap(checkIds).filter((id) => !all.has(id));
  writeFileSync('/tmp/h6-faults.txt', `${lines.join('\n')}\nUNCAUGHT ${missing.join('\n  ')}\n`);
  writeFileSync('/tmp/h6-faults.json', JSON.stringify(table));
}, 580_000);
