import fastifyCompress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'
import { isEepError } from '../../kernel/errors.ts'

/** Lets clients send compressed bodies. */
export const readCompressedBodies = async (app: FastifyInstance): Promise<void> => {
  await app.register(fastifyCompress, {
    globalCompression: false,
    // Errors of the body that is decompressed, such as `body_timeout`, are sent as they are.
    onInvalidRequestPayload: (_encoding, _request, error) => (isEepError(error) ? error : undefined),
  })
}
