import { secrets } from './secrets.ts';
import { hostileTexts, hostileUrls, poisonedSkill } from './texts.ts';

export const HOSTILE_SCENARIOS = [secrets, hostileUrls, hostileTexts, poisonedSkill] as const;
