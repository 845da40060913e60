export { SITE_INDEX } from './site-index.ts'
