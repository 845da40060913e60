// #region parts
import { definePrompt, defineResource, defineTool } from '@eep/core/mcp'
import { defineModule } from '@eep/core/module'
import { z } from 'zod'

/** Converts lengths for assistants, with a table and a prompt. */
export const units = defineModule({
  name: 'units',
  mcp: () => ({
    tools: [
      defineTool({
        name: 'convert_units',
        title: 'Convert units',
        description: 'Convert a length from miles to kilometres.',
        input: z.object({ miles: z.number().min(0) }),
        output: z.object({ kilometres: z.number() }),
        run: async ({ miles }) => ({ kilometres: miles * 1.609_344 }),
      }),
    ],
    resources: [
      defineResource({
        uri: 'units://{unit}',
        name: 'unit',
        title: 'Unit of length',
        description: 'The length of a unit in metres',
        mimeType: 'text/plain',
        read: async (uri, { unit }) => (unit === 'mile' ? { uri, text: '1609.344' } : undefined),
      }),
    ],
    prompts: [
      definePrompt({
        name: 'explain_unit',
        title: 'Explain a unit',
        description: 'Explains where a unit of length comes from',
        arguments: [{ name: 'unit', description: 'The unit', required: true }],
        messages: async ({ unit = '' }) => [
          { role: 'user', content: { type: 'text', text: `Explain where the unit ${unit} comes from.` } },
        ],
      }),
    ],
  }),
})
// #endregion

// #region priced
/** Sells drawings to assistants: a hundredth for each ten characters, taken once the drawing is made. */
export const drawings = (profile: string, draw: (text: string) => Promise<string>) =>
  defineModule({
    name: 'drawings',
    mcp: () => ({
      tools: [
        defineTool({
          name: 'draw_text',
          title: 'Draw a text',
          description: 'Draw a text as SVG. Costs 0.01 USDC for each ten characters.',
          input: z.object({ text: z.string().min(1).max(1_000) }),
          output: z.object({ svg: z.string() }),
          profile,
          price: ({ text }) => ({ amount: 0.01 * Math.ceil(text.length / 10), currency: 'usdc', per: 'request' }),
          charge: 'after',
          run: async ({ text }) => ({ svg: await draw(text) }),
        }),
      ],
    }),
  })
// #endregion
