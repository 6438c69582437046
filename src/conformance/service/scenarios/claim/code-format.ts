import { asksForCode } from '../../../user/form-fields.ts';
import type { ClaimBlock } from '../../claim-block.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { granted, shownBy } from '../../steps/answers.ts';
import { ClaimPageSession } from '../../steps/claim-page-session.ts';
import { randomBits } from '../../steps/entropy.ts';
import { openClaim } from '../../steps/open-claim.ts';
import { pollPatiently } from '../../steps/polls.ts';
import { plainCode } from '../../steps/user-codes.ts';

const SAMPLES = 12;
/** A link that nobody would type. */
const LONG_LINK = 2000;
/** Bits of six digits. */
const SIX_DIGITS = 6 * Math.log2(10);

export const codeFormat = serviceScenario({
  id: 'code-format',
  title: 'The format of codes and links',
  checks: {
    'code-hidden': 'The code is no part of the verification_uri.',
    'claim-token-hidden':
      'The claim token is no part of the verification_uri, nor of the page behind it.',
    'link-length': 'The verification_uri has at most 2000 characters.',
    'link-address': 'The verification_uri is an https URL of the service, or a loopback one.',
    'sign-in-first': 'The verification_uri leads through sign-in to the field for the code.',
    'look-alikes': 'A code mixes no characters that look alike, such as O and 0.',
    unpredictable: 'Codes do not repeat or follow from each other.',
    spelling: 'Spaces, dashes and letter case do not matter where a code is typed.',
  },
  costly: true,
  async run(judge, world) {
    const samples = await open(world);
    const [first] = samples;
    if (first === undefined) return;
    for (const sample of samples) {
      const link = decodeFully(sample.claim.verificationUri);
      const { userCode, verificationUri } = sample.claim;
      const { length } = verificationUri;
      const hasCode = link.includes(userCode) || link.includes(plainCode(userCode));
      judge.table(
        sample,
        {
          'code-hidden': { ok: !hasCode, seen: 'the code is in the link' },
          'claim-token-hidden': {
            ok: !link.includes(sample.claimToken),
            seen: 'the claim token is in the link',
          },
          'link-length': { ok: length <= LONG_LINK, seen: `${length} characters` },
          'link-address': {
            ok: isOfService(verificationUri, world),
            seen: `the origin ${originOf(verificationUri)}`,
          },
        },
        sample,
      );
    }
    judgeCodes(samples.map(({ claim }) => plainCode(claim.userCode)));
    await judgePage(first);

    function judgeCodes(codes: readonly string[]): void {
      const all = codes.join('');
      const mixed = LOOK_ALIKE.filter((pair) => [...pair].every((each) => all.includes(each)));
      const pairs = mixed.map((pair) => [...pair].join(' and ')).join(', ');
      judge.expect('look-alikes', mixed.length === 0, `codes with ${pairs}`);
      const bits = randomBits(codes);
      const different = new Set(codes).size;
      judge.expect(
        'unpredictable',
        different === SAMPLES && bits >= SIX_DIGITS - 1,
        `${different} different codes of ${SAMPLES}, with at most ${Math.floor(bits)} bits`,
      );
    }

    async function judgePage({ claim, claimToken, email }: Sample): Promise<void> {
      const unsigned = await world.visitor().open(claim.verificationUri);
      const session = await ClaimPageSession.open(world, claim, email);
      const { answer } = session.page;
      const asks = unsigned.forms.some(asksForCode);
      judge.expect(
        'sign-in-first',
        !asks,
        'the field for the code, without a sign-in',
        unsigned.answer,
      );
      const isShown = answer.text.includes(claimToken);
      judge.expect('claim-token-hidden', !isShown, 'the claim token is on the page', answer);
      const typed = shownBy(await session.approve(spelledOddly(claim.userCode)));
      judge.table(await pollPatiently(world, claimToken), { spelling: granted }, typed);
    }
  },
});

/** Characters that people take for one another (RFC 8628 §6.1). */
const LOOK_ALIKE = ['O0', 'o0', 'I1', 'l1', 'Il', 'S5', 'B8', 'Z2'];

interface Sample {
  readonly claim: ClaimBlock;
  readonly claimToken: string;
  readonly email: string;
  readonly exchange: number;
}

async function open(world: ServiceWorld): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (let n = 0; n < SAMPLES; n += 1) {
    const { answer, claim, claimToken, email } = await openClaim(world, world.userEmail());
    samples.push({ claim, claimToken, email, exchange: answer.exchange });
  }
  return samples;
}

function isOfService(link: string, { facts }: ServiceWorld): boolean {
  const origin = originOf(link);
  const loopback = /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(origin);
  const own = [facts.issuer, facts.resource ?? ''].map(originOf);
  return (origin.startsWith('https:') || loopback) && own.includes(origin);
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '(none)';
}

function decodeFully(text: string): string {
  try {
    const decoded = decodeURIComponent(text);
    return decoded === text ? text : decodeFully(decoded);
  } catch {
    return text;
  }
}

/** `12 3-456`, `bcdf` for `BCDF`. */
function spelledOddly(code: string): string {
  const plain = plainCode(code).toLowerCase();
  return ` ${plain.slice(0, 2)} ${plain.slice(2, 3)}-${plain.slice(3)} `;
}
