import type { LightMyRequestResponse } from 'fastify'
import type { TestApp } from './app.ts'
import { client } from './client.ts'

type Headers = Record<string, string>

export interface Part {
  readonly name?: string
  readonly filename?: string
  readonly type?: string
  readonly content: string | Buffer
}

export const BOUNDARY = 'a-boundary-of-tests'

/** A form as it travels. */
export function formOf(parts: readonly Part[]): { payload: Buffer; headers: Headers } {
  const pieces = parts.flatMap(({ name = 'file', filename, type, content }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined ? '' : `; filename="${filename}"`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    content,
    '\r\n',
  ])
  const payload = Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)))
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } }
}

export const field = (name: string, content: string): Part => ({ name, content })
export const fileOf = (content: string | Buffer, filename = 'notes.txt'): Part => ({
  filename,
  type: 'application/octet-stream',
  content,
})

/** Sends a form to `POST /files`. */
export function upload(
  app: Pick<TestApp, 'inject'>,
  parts: readonly Part[],
  as: Headers,
): Promise<LightMyRequestResponse> {
  const { payload, headers } = formOf(parts)
  return client(app).post('/files', payload, { ...headers, ...as })
}

/** One pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
