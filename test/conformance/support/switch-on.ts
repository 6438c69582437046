import { serviceScenario } from '../../../src/conformance/service/service-world.ts';
import type { ControlUrl } from '../../../src/conformance/target/http-control.ts';

/** A scenario before all others, which switches a fault on. */
export function switchOn(faults: readonly string[], { url, token }: ControlUrl) {
  return serviceScenario({
    id: 'switch-on',
    title: 'The faults are switched on',
    checks: { done: 'The mock takes them.' },
    async run(judge, world) {
      const answer = await world.send(`${url}/__mock/faults`, {
        headers: [
          ['content-type', 'application/json'],
          ['authorization', `Bearer ${token}`],
        ],
        body: JSON.stringify({ faults }),
      });
      judge.expect('done', answer.ok, answer);
    },
  });
}
