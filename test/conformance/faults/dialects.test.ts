import { describe, expect, it } from 'vitest';
import { absentIn } from '../../../src/mock-service/faults/index.ts';
import { SERVICE_FAULT_NAMES } from '../../../src/mock-service/index.ts';
import { DIALECT_IDS } from '../../../src/protocol/index.ts';
import { Harness } from '../../mock-service/harness.ts';

describe.each(DIALECT_IDS.filter((name) => absentIn(name).size > 0))(
  'the faults that %s has nothing for',
  (dialect) => {
    it('are refused, with the reason', async () => {
      const h = await Harness.start({ dialect });
      const listed = h.service.controls.faults().map(({ name }) => name);
      const absent = absentIn(dialect);
      for (const [name, why] of absent) {
        expect(SERVICE_FAULT_NAMES).toContain(name);
        expect(listed).not.toContain(name);
        await expect(h.service.controls.setFaults([name])).rejects.toMatchObject({
          description: why,
        });
      }
      const [[name, why] = ['', '']] = absent;
      await expect(Harness.start({ dialect, faults: [name] })).rejects.toThrow(new TypeError(why));
    });
  },
);
