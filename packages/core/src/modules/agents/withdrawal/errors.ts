import { defineError } from '../../../kernel/errors.ts'

export const unknownPublisher = defineError(
  'unknown_publisher',
  400,
  'publisher_did is neither this service nor one of its profiles; send the withdrawal to the service that it names',
)
