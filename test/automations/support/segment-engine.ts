import { assignAllPositions } from '../../../src/domain/feed/positions.ts';
import { BatchSize } from '../../../src/domain/segments/engine/batch-size.ts';
import { buildRange } from '../../../src/domain/segments/engine/build.ts';
import { GenerationCache } from '../../../src/domain/segments/engine/generations.ts';
import { takePostponed } from '../../../src/domain/segments/engine/postponed.ts';
import { readChanges } from '../../../src/domain/segments/engine/read-changes.ts';
import { takeDue } from '../../../src/domain/segments/engine/take-due.ts';
import { WorkCount } from '../../../src/domain/segments/engine/work.ts';
import type { EngineRoom } from './engine-room.ts';

/** The segments of a room's store, which do nothing by themselves either. */
export class SegmentEngine {
  readonly #room: EngineRoom;
  readonly #batch = new BatchSize(100);
  readonly #generations = new GenerationCache();

  constructor(room: EngineRoom) {
    this.#room = room;
  }

  get #tools() {
    return {
      generations: this.#generations,
      work: new WorkCount(),
      log: this.#room.tools.log,
      now: this.#room.tools.now,
    };
  }

  /** Creates one, and works out its members. Returns its id. */
  async create(definition: object): Promise<string> {
    const { body } = await this.#room.client.post('/v1/segments', { name: 'Test', definition }, { expect: 201 });
    await this.move();
    return body.id;
  }

  /** Reads all that is new, takes what is due, and builds what is to be built. */
  async move(): Promise<void> {
    const { db, storeId } = this.#room;
    await assignAllPositions(db, storeId);
    while ((await readChanges(db, storeId, this.#tools)).progress === 'more');
    while (await takeDue(db, storeId, this.#tools));
    while (await takePostponed(db, storeId, this.#tools, this.#batch));
    while ((await buildRange(db, storeId, this.#tools, 100))?.isMore);
  }

  /** Has automations do all that follows from what has happened. */
  async settle(): Promise<void> {
    await this.move();
    await this.#room.settle();
  }
}
