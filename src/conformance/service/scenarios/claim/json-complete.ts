import { serviceScenario } from '../../service-scenario.ts';
import { shownBy } from '../../steps/answers.ts';
import { KeptOut } from '../../steps/controls.ts';
import { JsonCompletion } from '../../steps/json-completion.ts';
import { pollPatiently } from '../../steps/polls.ts';

export const jsonComplete = serviceScenario({
  id: 'json-complete',
  title: 'A script completes a claim as JSON, with session and CSRF token',
  checks: {
    'nobody-completes': 'Without a signed-in user the right code completes nothing.',
  },
  async run(judge, world) {
    const { claim, claimToken, email } = await world.byEmail();
    const mine = await JsonCompletion.open(world, claim, email);
    const nobody = await mine.withoutSession(world).submit(claim.userCode);
    const polled = await pollPatiently(world, claimToken);
    const keptOut = new KeptOut(judge);
    keptOut.tried('nobody-completes', polled, shownBy(nobody));
    mine.needJson(await mine.submit(claim.userCode));
    keptOut.end(await pollPatiently(world, claimToken));
  },
});
