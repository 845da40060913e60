export { internalPath } from './next-path.ts'
