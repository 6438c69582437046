import { describe } from 'vitest';
import { AGENT_CASES } from './cases.ts';
import { itIsCaughtOfAgent } from './it-is-caught.ts';

describe('a broken agent', () => itIsCaughtOfAgent(AGENT_CASES));
