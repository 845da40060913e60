import { setTimeout as sleep } from 'node:timers/promises'
import { definePrompt, defineResource, defineTool, type McpContent } from '@eep/core/mcp'
import { defineModule } from '@eep/core/module'
import { z } from 'zod'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SOUND = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text = (content: string): McpContent => ({ type: 'text', text: content })
const image: McpContent = { type: 'image', data: PIXEL, mimeType: 'image/png' }
const user = (content: McpContent) => ({ role: 'user', content }) as const

/** A tool without arguments that answers with content. */
const answering = (name: string, ...content: McpContent[]) =>
  defineTool({
    name,
    title: name,
    description: 'Part of the conformance suite',
    input: z.object({}),
    run: async () => ({ content }),
  })

/** The tools, resources and prompts that the conformance suite of MCP asks for. */
export const conformanceFixture = defineModule({
  name: 'conformance-fixture',
  mcp: () => ({
    tools: [
      answering('test_simple_text', text('This is a simple text response for testing.')),
      answering('test_image_content', image),
      answering('test_audio_content', { type: 'audio', data: SOUND, mimeType: 'audio/wav' }),
      answering('test_embedded_resource', {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      }),
      answering('test_multiple_content_types', text('Multiple content types test:'), image, {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      }),
      defineTool({
        name: 'test_error_handling',
        title: 'Error',
        description: 'Part of the conformance suite',
        input: z.object({}),
        run: async () => ({ content: [text('This tool intentionally returns an error for testing')], isError: true }),
      }),
      defineTool({
        name: 'test_tool_with_progress',
        title: 'Progress',
        description: 'Part of the conformance suite',
        input: z.object({}),
        async run(_args, { progress }) {
          for (const done of [0, 50, 100]) {
            await progress(done, 100)
            await sleep(10)
          }
          return { content: [text('done')] }
        },
      }),
      defineTool({
        name: 'json_schema_2020_12_tool',
        title: 'Schema',
        description: 'Tool with JSON Schema 2020-12 features',
        input: z.strictObject({
          name: z.string().optional(),
          address: z
            .object({ street: z.string().optional(), city: z.string().optional() })
            .meta({ id: 'address' })
            .optional(),
        }),
        run: async () => ({ content: [] }),
      }),
    ],
    resources: [
      defineResource({
        uri: 'test://static-text',
        name: 'static-text',
        title: 'Text',
        description: 'A text',
        mimeType: 'text/plain',
        read: async (uri) => ({ uri, text: 'This is the content of the static text resource.' }),
      }),
      defineResource({
        uri: 'test://static-binary',
        name: 'static-binary',
        title: 'Image',
        description: 'An image',
        mimeType: 'image/png',
        read: async (uri) => ({ uri, blob: PIXEL }),
      }),
      defineResource({
        uri: 'test://template/{id}/data',
        name: 'template',
        title: 'Template',
        description: 'Data by id',
        mimeType: 'application/json',
        read: async (uri, { id }) => ({
          uri,
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        }),
      }),
    ],
    prompts: [
      definePrompt({
        name: 'test_simple_prompt',
        title: 'Simple',
        description: 'A prompt',
        messages: async () => [user(text('This is a simple prompt for testing.'))],
      }),
      definePrompt({
        name: 'test_prompt_with_arguments',
        title: 'Arguments',
        description: 'A prompt with arguments',
        arguments: [
          { name: 'arg1', description: 'First', required: true },
          { name: 'arg2', description: 'Second', required: true },
        ],
        messages: async ({ arg1, arg2 }) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
      }),
      definePrompt({
        name: 'test_prompt_with_embedded_resource',
        title: 'Resource',
        description: 'A prompt with a resource',
        arguments: [{ name: 'resourceUri', description: 'The resource', required: true }],
        messages: async ({ resourceUri: uri = '' }) => [
          user({
            type: 'resource',
            resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          }),
          user(text('Please process the embedded resource above.')),
        ],
      }),
      definePrompt({
        name: 'test_prompt_with_image',
        title: 'Image',
        description: 'A prompt with an image',
        messages: async () => [user(image), user(text('Please analyze the image above.'))],
      }),
    ],
  }),
})
