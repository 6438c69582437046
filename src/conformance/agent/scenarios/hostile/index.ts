import { lookAlikePages } from './look-alike-pages.ts';
import { oddAnswers, slowMetadata, slowPolls, slowTokens } from './odd-answers.ts';
import { secrets } from './secrets.ts';
import { hostileTexts, hostileUrls, poisonedSkill } from './texts.ts';

export const HOSTILE_SCENARIOS = [
  slowMetadata,
  slowTokens,
  slowPolls,
  oddAnswers,
  secrets,
  hostileUrls,
  lookAlikePages,
  hostileTexts,
  poisonedSkill,
] as const;
