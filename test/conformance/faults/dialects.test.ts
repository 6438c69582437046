import { describe, expect, it } from 'vitest';
import { absentIn } from '../../../src/mock-service/faults/index.ts';
import {
  SERVICE_FAULT_NAMES,
  SERVICE_FAULTS,
  type ServiceFault,
} from '../../../src/mock-service/index.ts';
import { DIALECT_IDS } from '../../../src/protocol/index.ts';
import { Harness } from '../../mock-service/harness.ts';
import { tour } from './tour.ts';

/** Those that rewrite answers: what they are wrong about has to be in the answer. */
const REWRITING = SERVICE_FAULT_NAMES.filter((name) => {
  const fault: ServiceFault = SERVICE_FAULTS[name];
  return fault.answers !== undefined;
});

/** As it is, and not as a fault that is asked for by its name, so that one that does not fit can be tried. */
const withOwn = (name: (typeof SERVICE_FAULT_NAMES)[number]) => {
  const fault: ServiceFault = SERVICE_FAULTS[name];
  return { faults: [{ ...fault, name: 'tried' }] };
};

/** What the mock says without a fault: the same each time. */
const right = new Map(DIALECT_IDS.map((dialect) => [dialect, once(() => tour(dialect))]));

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

describe.each(DIALECT_IDS.filter((name) => absentIn(name).size > 0))(
  'the faults of the mock service in %s',
  (dialect) => {
    const absent = absentIn(dialect);

    it.each(REWRITING.filter((name) => !absent.has(name)))(
      '%s says something else there, if it does in flat',
      async (name) => {
        const said = await right.get(dialect)?.();
        const wrong = await tour(dialect, withOwn(name)).catch(String);
        if (JSON.stringify(wrong) !== JSON.stringify(said)) return;
        expect(await tour('flat', withOwn(name))).toEqual(await right.get('flat')?.());
      },
    );

    it.each(REWRITING.filter((name) => absent.has(name)))('%s has nothing there', async (name) => {
      const wrong = await tour(dialect, withOwn(name)).catch(() => 'broken');
      const said = await right.get(dialect)?.();
      expect(['"broken"', JSON.stringify(said)]).toContain(JSON.stringify(wrong));
    });

    it('are refused where they have nothing, with the reason', async () => {
      const h = await Harness.start({ dialect });
      const listed = h.service.controls.faults().map(({ name }) => name);
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
