export { invalidSignature } from '../../../model/agent-signature.ts'
export { documentOfKeys } from './did-document.ts'
export type { DidResolver } from './did-resolver.ts'
export { isSigned } from './signature.ts'
