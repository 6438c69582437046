import type { TourPlace, TourStep } from './tour-flow.ts';

type Words = Pick<TourStep, 'title' | 'text'>;

/** A `curl` line; in another dialect the skill file has them. */
export function curl({ isFlat, service }: TourPlace, ...words: readonly string[]): string {
  return isFlat ? `curl ${words.join(' ')}` : `curl ${service}/auth.md`;
}

export function callStep(place: TourPlace, id: string, words: Words): TourStep {
  const { call, line, service } = place;
  return {
    id,
    ...words,
    curl: `curl -X ${call.method} ${service}${call.path} -H "Authorization: Bearer $access_token"`,
    line: line(`call ${service}${call.path}${call.method === 'GET' ? '' : ` -X ${call.method}`}`),
    run: async ({ agent }) => {
      const { status } = await agent.call(call.path, { method: call.method });
      return `The call was answered ${status}.`;
    },
  };
}

/** The step of the user. @param email whose step it is. */
export function approveStep({ isFlat, line }: TourPlace, id: string, email: string): TourStep {
  return {
    id,
    title: 'Be the user',
    text: `Open the page of the claim above, sign in as ${email} and type the code; or press the button, and it is done for you.`,
    // A browser does it; only in this dialect the controls can do as much.
    curl: '',
    line: isFlat ? line('mock complete') : '',
    run: (player) => player.approve(email),
  };
}

export function collectStep(place: TourPlace, id: string): TourStep {
  const { line, service } = place;
  return {
    id,
    title: 'Collect the claim',
    text: 'The agent asks again, and now gets a token with the scopes that its user gave, and a second assertion.',
    curl: curl(
      place,
      `${service}/oauth2/token -d grant_type=urn:vendor:agent-auth:grant-type:claim -d claim_token=$claim_token`,
    ),
    line: line('claim'),
    run: async (player, patience) => {
      const status = await player.collect(patience);
      if (status === 'claimed') return 'The claim is complete: the agent acts for its user.';
      throw new Error(`The agent was told: ${status}. The user has to approve first.`);
    },
  };
}
