import { mcpToolkit } from '../adapters/mcp-toolkit.ts'
import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import { mcp as create } from '../modules/assistants/mcp/module.ts'
import type { mcpOptions } from '../modules/assistants/mcp/options.ts'

export type {
  McpCallContext,
  McpContent,
  McpPromptPart,
  McpResourceContent,
  McpResourcePart,
  McpToolContent,
  McpToolDefinition,
  McpToolPart,
} from '../framework/module/mcp-parts.ts'
export { definePrompt, defineResource, defineTool } from '../modules/assistants/mcp/define.ts'

/** The options of {@link mcp}. */
export interface McpOptions extends FeatureOptions<typeof mcpOptions> {}

/**
 * A server for assistants (Model Context Protocol) at `/mcp`: they search, read, write, negotiate and pay with tools that are made of the
 * routes of the service.
 *
 * @throws Error with the command that installs the missing packages
 * @throws TypeError that names each option that is wrong
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/mcp.md
 * @example
 * await app.register(eep, { ...options, modules: [mcp()] })
 */
export const mcp = (options?: McpOptions): Module => create(options, { toolkit: mcpToolkit() })
