import { NotApplicable } from '../../../engine/judge.ts';
import { mediaType } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';

export const skillFile = serviceScenario({
  id: 'skill-file',
  title: 'The skill file describes the procedure for agents',
  safe: true,
  checks: {
    served: 'The skill file is answered with 200, and is not HTML.',
    markdown: 'The skill file is sent as text/markdown.',
  },
  async run(judge, world) {
    const { skill } = world.facts;
    if (skill === undefined) throw new NotApplicable('The service names no skill file.');
    const answer = await world.send(skill);
    const { text } = answer;
    const isMarkdown =
      answer.status === 200 && text.trim() !== '' && !/^\s*<(!doctype|html)/i.test(text);
    if (!judge.expect('served', isMarkdown, answer)) return;
    judge.table(answer, {
      markdown: mediaType('text/markdown'),
    });
  },
});
