import { defineCounter } from '../../../runtime/telemetry/define-metric.ts'

export const toolCalls = defineCounter(
  'eep_mcp_tool_calls_total',
  'Calls of tools by assistants, by tool and outcome: `ok`, `refused`, `failed`',
  ['tool', 'outcome'],
)
