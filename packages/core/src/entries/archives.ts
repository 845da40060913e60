/** Archives of profiles as ZIP, for hosts that have `yazl` and `yauzl` installed. */

export { zipArchives } from '../adapters/zip-archives.ts'
