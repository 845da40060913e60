import type { DidDocument } from './did-document.ts'
import { keyOfMultibase } from './multikey.ts'

const DID_KEY = /^did:key:(z[1-9A-HJ-NP-Za-km-z]{40,60})$/

/** The document of a `did:key`, which contains its key. Undefined for unsupported keys. */
export function didKeyDocument(did: string): DidDocument | undefined {
  const key = DID_KEY.exec(did)?.[1]
  if (key === undefined || !keyOfMultibase(key)) return undefined
  const id = `${did}#${key}`
  return {
    id: did,
    verificationMethod: [{ id, type: 'Multikey', controller: did, publicKeyMultibase: key }],
    authentication: [id],
    assertionMethod: [id],
  }
}
