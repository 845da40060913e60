import { defineCounter } from '../../../runtime/telemetry/define-metric.ts'

export const checkedBots = defineCounter(
  'eep_web_bot_auth_total',
  'Requests with a Web Bot Auth signature, by what it proves: `verified`, `invalid`, `unverified`',
  ['outcome'],
)
