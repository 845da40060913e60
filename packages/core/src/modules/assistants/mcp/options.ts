import { z } from 'zod'

const path = z
  .string()
  .max(64)
  .regex(/^(\/[\w-]+)+$/, 'Must be a path such as /mcp')

/** The options of the feature. */
export const mcpOptions = {
  /**
   * The path of the server. `<path>/account` is the same server for callers with a credential.
   * @default "/mcp"
   */
  path: path.default('/mcp'),
  /**
   * The name that assistants show.
   * @default the name of the service
   */
  name: z.string().min(1).max(100).optional(),
  /**
   * The instructions for assistants about the service, at most 2,000 characters.
   * @default made from the features that are on
   */
  instructions: z.string().min(1).max(2_000).optional(),
  /**
   * Tools that are left out, by their name or by that of their module.
   * @default []
   */
  without: z.array(z.string().min(1).max(64)).max(100).readonly().default([]),
  /**
   * The number of tools, resources and prompts on a page of their list.
   * @default 100
   */
  pageSize: z.int().min(10).max(1_000).default(100),
  /**
   * How long clients may keep lists, in seconds. Lists for anonymous callers are kept for at most a minute.
   * @default 300
   */
  cacheSeconds: z.int().min(0).max(86_400).default(300),
  /**
   * The greatest size of a message, in bytes.
   * @default 1048576
   */
  maxBodyBytes: z.int().min(16_384).max(1_048_576).default(1_048_576),
  /**
   * Whether tools and resources can be paid for within the protocol.
   * @default true
   */
  payments: z.boolean().default(true),
}
