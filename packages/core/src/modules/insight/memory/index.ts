export { MAX_ENTRIES as MAX_MEMORY_ENTRIES, type MemoryService } from './service.ts'
