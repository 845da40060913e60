import type { ResourceAddress } from '../tools/resource-address.ts'
import type { InnerAnswer, ToolCall } from '../tools/tool.ts'

/** The largest file whose bytes are in a result. Larger ones are named by their URL. */
export const MAX_BLOB_BYTES = 1_048_576

/** Finds the size of a stored file, in bytes. Undefined for one that does not exist. */
export type FileSize = (id: number) => Promise<number | undefined>

/** The response with the bytes of a file, or the one that shows that there are too many. */
export interface FileBytes {
  readonly is: 'read' | 'too_large'
  readonly answer: InnerAnswer
}

/** No text can be had of the file: of its type, of this one, or on this service. Nothing was paid then. */
const WITHOUT_TEXT: ReadonlySet<number> = new Set([404, 415, 422])

/** Whether a response of the text of a file means that its bytes are all there is of it. */
export const hasNoText = ({ status, text }: InnerAnswer): boolean =>
  WITHOUT_TEXT.has(status) || (status === 503 && text.includes('"conversion_disabled"'))

/** Reads the bytes of a file, if they are not too many to be in a result. A payment is not spent on those that are. */
export async function readBytes(
  { path, id }: Extract<ResourceAddress, { readonly kind: 'file' }>,
  { send, payment, fileSize }: Pick<ToolCall, 'send' | 'payment'> & { readonly fileSize: FileSize },
): Promise<FileBytes> {
  const isPaying = Object.keys(payment).length > 0
  const head = await send({ method: 'HEAD', path })
  if (head.status >= 300 && !(head.status === 402 && isPaying)) return { is: 'read', answer: head }
  const size = head.status === 402 ? await fileSize(Number(id)) : Number(head.headers['content-length'])
  // A size that is not known may be any.
  if (size === undefined || !(size <= MAX_BLOB_BYTES))
    return { is: 'too_large', answer: { ...head, headers: {}, status: 200, text: '' } }
  return { is: 'read', answer: await send({ method: 'GET', path, headers: payment }) }
}
