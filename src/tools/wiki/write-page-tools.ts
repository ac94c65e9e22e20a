import { limits } from '../../domain/limits.ts';
import type { Tool } from '../../ports/tool.ts';
import {
  bodySchema,
  objectSchema,
  optionalLine,
  requiredLine,
  requiredText,
  textSchema,
} from '../text/tool-arguments.ts';
import { type OfferedWiki, spaceSchema } from './search-wiki-tool.ts';

const { writtenTitleChars } = limits.systems;

export function createPageTool({ wiki, site }: OfferedWiki): Tool {
  return {
    name: 'create_page',
    description: `Creates a page in the wiki at ${site}. Others will see it: only when the user asks for it.`,
    parameters: objectSchema(
      {
        space: spaceSchema(wiki),
        title: textSchema('one line, not yet used in the space', writtenTitleChars),
        text: bodySchema,
        parent_id: textSchema('id of the page above it; default: the top of the space', 20),
      },
      ['space', 'title', 'text'],
    ),
    writes: () => true,
    label: () => 'Creating a wiki page',
    async run(args, { signal }) {
      const page = {
        space: requiredLine(args, 'space'),
        title: requiredLine(args, 'title', writtenTitleChars),
        text: requiredText(args, 'text'),
        ...optionalLine('parentId', args.parent_id),
      };
      const { key, link } = await wiki.create(page, signal);
      return `Created the page ${key}: ${link}`;
    },
  };
}

export function commentPageTool({ wiki, site }: OfferedWiki): Tool {
  return {
    name: 'comment_page',
    description: `Adds a comment to a page in the wiki at ${site}. Others will see it: only when the user asks for it.`,
    parameters: objectSchema({ id: textSchema('id of the page', 20), text: bodySchema }, ['id', 'text']),
    writes: () => true,
    label: () => 'Commenting on a wiki page',
    async run(args, { signal }) {
      const { key, link } = await wiki.comment(requiredLine(args, 'id'), requiredText(args, 'text'), signal);
      return `Commented on the page ${key}: ${link}`;
    },
  };
}
