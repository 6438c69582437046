import { describe } from 'vitest';
import { agentCases } from './cases.ts';
import { itIsCaughtOfAgent } from './it-is-caught.ts';

describe('a broken agent', () => itIsCaughtOfAgent(agentCases('cross-app')));
