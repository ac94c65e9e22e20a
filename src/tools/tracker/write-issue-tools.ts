import { limits } from '../../domain/limits.ts';
import type { Tool } from '../../ports/tool.ts';
import {
  bodySchema,
  lineOf,
  objectSchema,
  optionalText,
  requiredLine,
  requiredText,
  textSchema,
} from '../text/tool-arguments.ts';
import { type OfferedTracker, projectSchema } from './search-issues-tool.ts';

const { writtenTitleChars } = limits.systems;

export function createIssueTool({ tracker, site }: OfferedTracker): Tool {
  return {
    name: 'create_issue',
    description: `Creates an issue in the tracker at ${site}. Others will see it: only when the user asks for it.`,
    parameters: objectSchema(
      {
        project: projectSchema(tracker),
        title: textSchema('one line', writtenTitleChars),
        description: bodySchema,
        type: textSchema('name of the issue type; default Task', 60),
      },
      ['project', 'title'],
    ),
    writes: () => true,
    label: () => 'Creating an issue',
    async run(args, { signal }) {
      const issue = {
        project: requiredLine(args, 'project'),
        type: lineOf(args.type) || 'Task',
        title: requiredLine(args, 'title', writtenTitleChars),
        description: optionalText(args, 'description'),
      };
      const { key, link } = await tracker.create(issue, signal);
      return `Created the issue ${key}: ${link}`;
    },
  };
}

export function commentIssueTool({ tracker, site }: OfferedTracker): Tool {
  return {
    name: 'comment_issue',
    description: `Adds a comment to an issue in the tracker at ${site}. Others will see it: only when the user asks for it.`,
    parameters: objectSchema(
      {
        key: textSchema('key of the issue, such as OPS-12', 64),
        text: bodySchema,
      },
      ['key', 'text'],
    ),
    writes: () => true,
    label: () => 'Commenting on an issue',
    async run(args, { signal }) {
      const { key, link } = await tracker.comment(
        requiredLine(args, 'key'),
        requiredText(args, 'text'),
        signal,
      );
      return `Commented on the issue ${key}: ${link}`;
    },
  };
}
