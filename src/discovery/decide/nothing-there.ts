import { defect } from '../defect.ts';
import type { UrlJudgement } from '../judge-url.ts';
import type { Defect, Evidence } from '../model.ts';
import { shown } from '../read.ts';
import { type Decision, type Judged, type Question, UNDECIDED } from './decision.ts';

/** A registration is described, but no URL in it registers agents. */
export function nothingThere(
  { found }: Question,
  judged: readonly Judged[],
  said: readonly Evidence[],
): Decision {
  const evidence = [
    ...judged.map(
      ({ member, judgement }): Evidence => ({
        document: found.document,
        member: member.member,
        value: shown(member.value),
        shows: judgement.is === 'real' ? 'a URL' : judgement.why,
        families: [],
      }),
    ),
    ...said,
  ];
  const client = judged.find(({ judgement }) => judgement.is === 'client_registration');
  const [shownFirst] = judged;
  const nothing = judged.find(({ judgement }) => judgement.is === 'nothing');
  if (client !== undefined && nothing === undefined && said.length === 0) {
    const { judgement, member } = client;
    const reason = `${member.member} is OAuth client registration (RFC 7591), not a registration of agents: it ${whyOf(judgement)}.`;
    return {
      ...UNDECIDED,
      evidence,
      defects: [
        defect(
          'register-url-is-client-registration',
          'error',
          [found.document, member.member],
          reason,
          'Name it in registration_endpoint beside agent_auth, and leave agent_auth out.',
        ),
      ],
      verdict: 'client_registration',
      reason,
    };
  }
  const defects = judged.flatMap(({ member, judgement }): readonly Defect[] =>
    judgement.is === 'real'
      ? []
      : [
          defect(
            'register-url-unusable',
            'error',
            [found.document, member.member],
            `${member.member} ${whyOf(judgement)}.`,
            'Name a URL that registers agents, or leave agent_auth out.',
          ),
        ],
  );
  const said1 = said[0]?.shows;
  const about = nothing ?? shownFirst;
  const clause =
    about === undefined || about.judgement.is === 'real'
      ? undefined
      : `${about.member.member} ${whyOf(about.judgement)}`;
  const because = [said1, clause].filter((part) => part !== undefined).join(', and ');
  return {
    ...UNDECIDED,
    evidence,
    defects,
    verdict: 'published_only',
    reason: `Nothing to register at: ${because}.`,
  };
}

function whyOf(judgement: UrlJudgement): string {
  return judgement.is === 'real' ? 'is a URL' : judgement.why;
}
