import { secrets } from './secrets.ts';
import { hostileAddresses, hostileTexts, poisonedSkill } from './texts.ts';

export const HOSTILE_SCENARIOS = [secrets, hostileAddresses, hostileTexts, poisonedSkill] as const;
