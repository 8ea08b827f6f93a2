#!/usr/bin/env python3
"""Pets by chance, played by the program and by a model of the rules that shares nothing with it.

Usage: tests/petween/model.py PROGRAM [FIRST COUNT]

The model knows states, sources, coalescing, hold times, enters, what plays beside, clicks, flashes, plays, swaps, fallback
chains, reduced motion and the hidden window, in the order that the format's rules give to one instant. It knows no values:
curves are held by the cases of tests/vectors. Compared are all states, starts, pictures and ends with their exact times.
Each story follows from its number alone; one that differs is told with its pet and its steps.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

SLOTS = ["idle", "thinking", "working", "waiting", "success", "error"]
CHAINS = {"idle": ["idle"], "thinking": ["thinking", "working", "idle"], "working": ["working", "thinking", "idle"],
          "waiting": ["waiting", "idle", "thinking"], "success": ["success", "idle", "thinking"],
          "error": ["error", "idle", "thinking"]}
RANKS = {"waiting": 4, "error": 3, "active": 2, "success": 1, "idle": 0}
QUIET, HOLD, FLASH, EXPIRY, EVENT, END = range(6)  # in the order in which they come at one instant
MS = 1000000
FRESH = {"success": 1600 * MS, "error": 1800 * MS}
FOREVER = 10 ** 16  # of one pass that is followed by others without end


def target_of(event):
    kind = event["type"]
    if kind in ("idle", "waiting", "success", "error"):
        return kind, ""
    tools = {"edit": "coding", "command": "command"}
    return "active", tools.get(event.get("toolKind"), "working") if kind == "tool-start" else "thinking"


class Run:
    def __init__(self, serial, role, clip, origin, duration, swaps):
        self.serial, self.role, self.clip, self.origin = serial, role, clip, origin
        self.duration, self.swaps, self.next = duration, swaps, 0  # swaps: (after ns, picture or None)

    def due(self):
        if self.next < len(self.swaps):
            return self.origin + self.swaps[self.next][0], EVENT
        return self.origin + self.duration, END


class Model:
    def __init__(self, pet):
        self.pet, self.now, self.told = pet, 0, []
        self.sources, self.arrivals, self.merged, self.pending = {}, 0, ("idle", ""), None
        self.target = self.slot = self.hold_end = None
        self.runs, self.serial, self.generation = [], 0, 0
        self.enter = self.click = self.play = self.held = self.picture = None
        self.lanes, self.lane_runs = [None] * 4, [None] * 4
        self.hidden_at, self.reduced = None, False
        self.take(("idle", ""), "idle")
        self.settle()

    def tell(self, *what):
        self.told.append((self.now,) + what)

    def motion(self):
        return self.now if self.hidden_at is None else self.hidden_at

    # ------------------------------------------------------------------------------------------------ pictures

    def there(self, name):
        chain = CHAINS[name] + SLOTS if name in CHAINS else []
        return next((one for one in chain if one in self.pet["pictures"]), None)

    def own(self):
        return self.there(self.pet["poses"][self.slot])

    def show(self, picture):
        if picture != self.picture:
            self.picture = picture
            self.tell("picture", picture)

    # ------------------------------------------------------------------------------------------------ runs

    def start(self, role, clip):
        duration, swaps, has_tracks = self.pet["clips"][clip]
        if self.reduced and duration < FOREVER:
            duration = min(duration, 120 * MS)
        length = duration if has_tracks else 0
        self.serial += 1
        run = Run(self.serial, role, clip, self.motion(), length, [(round(length * at), pose) for at, pose in swaps])
        self.runs.append(run)
        self.tell("start", clip)
        return run

    def open(self, run):  # what stands at 0 comes inside the call that starts it
        while run in self.runs and run.next < len(run.swaps) and run.swaps[run.next][0] == 0:
            self.swap(run)

    def swap(self, run):
        pose = run.swaps[run.next][1]
        run.next += 1
        picture = self.own() if run.role == "enter" else self.there(pose)
        if picture is None or (run.role == "click" and not self.pet["click_swaps"]):
            return
        if run is self.click:
            self.click_swapped = True
        if run.role == "play":
            self.held = ("play", picture, None)
        self.show(picture)

    def cancel(self, run):
        if run in self.runs:
            self.runs.remove(run)
            self.tell("end", run.clip, "cancelled")

    def end(self, run):
        self.runs.remove(run)
        self.tell("end", run.clip, "finished")
        if run is self.enter:
            self.enter = None
            self.refresh()
        elif run in self.lane_runs:
            self.lane_runs[self.lane_runs.index(run)] = None
        elif run is self.click:
            self.click = None
            if self.click_swapped and self.click_generation == self.generation:
                self.show(self.held[1] if self.held else self.own())
        elif run is self.play:
            self.play_over()

    # ------------------------------------------------------------------------------------------------ what plays beside

    def refresh(self):
        for lane in range(4):
            wanted = None if self.reduced or self.own() is None else self.pet["lanes"][self.slot][lane]
            if wanted == self.lanes[lane]:
                continue
            self.cancel(self.lane_runs[lane])
            self.lanes[lane] = wanted
            self.lane_runs[lane] = self.start("lane", wanted[0]) if wanted else None

    def stop_lanes(self):
        for lane in range(4):
            self.cancel(self.lane_runs[lane])
        self.lanes, self.lane_runs = [None] * 4, [None] * 4

    # ------------------------------------------------------------------------------------------------ targets

    def invalidate(self):
        self.generation += 1
        run, self.enter = self.enter, None
        self.cancel(run)

    def swap_silently(self):
        self.invalidate()
        self.show(self.own())
        self.refresh()

    def give_way(self):
        if self.enter:
            self.swap_silently()

    def begin(self, clip):
        self.invalidate()
        self.stop_lanes()
        if self.own() is None:
            self.show(None)
            return
        self.enter = self.start("enter", clip)
        self.open(self.enter)

    def take(self, target, slot=None):
        state, activity = target
        slot = slot or (state if state != "active" else "thinking" if activity == "thinking" else "working")
        other_state = self.target is None or self.target[0] != state
        if not other_state and state == "active" and not self.pet["change_pose"]:
            slot = self.slot
        other_slot = slot != self.slot
        self.target, self.slot, self.hold_end = target, slot, None
        if state in FRESH and self.pet["timed"]:
            self.hold_end = self.now + self.pet["hold"][state]
        self.tell("state", state, slot, activity)
        if not other_state and not other_slot:
            if not self.enter:
                self.refresh()
            return
        self.held = None
        if not other_state and self.pet["activity_swap"] == "none":
            self.swap_silently()
        else:
            subtle = not other_state and self.pet["activity_swap"] == "subtle"
            self.begin("builtin:activity-swap" if subtle else self.pet["enters"][slot])

    # ------------------------------------------------------------------------------------------------ sources

    def merge(self):
        def is_fresh(one):
            return one["target"][0] not in FRESH or self.now < one["stamp"] + FRESH[one["target"][0]]

        def age(one):
            return one["stamp"], one["arrival"]
        counting = [one for one in self.sources.values() if not one["spent"] and is_fresh(one)]
        if not counting:
            return "idle", ""
        best = max(counting, key=lambda one: (RANKS[one["target"][0]],) + age(one))
        errors = [one for one in counting if one["target"][0] == "error"]
        if best["target"][0] == "waiting" and errors and max(errors, key=age)["stamp"] > best["stamp"]:
            best = max(errors, key=age)
        return best["target"]

    def offer(self, target):  # None: a dismissal
        over = self.target[0] in FRESH
        if target is None and (not over or self.pending):
            return
        if target and target[0] == "idle" and (over or (self.pending and self.pending[0] and self.pending[0][0] in FRESH)):
            return
        self.pending = (target, self.pending[1] if self.pending else self.now, self.now)

    def spend(self, states):
        for one in self.sources.values():
            one["spent"] = one["spent"] or one["target"][0] in states
        self.merged = self.merge()
        self.take(self.merged)

    def expire(self):
        for one in self.sources.values():
            one["seen"] = one["seen"] or self.now >= one["stamp"] + FRESH.get(one["target"][0], FOREVER)
        merged = self.merge()
        if merged != self.merged:
            self.merged = merged
            self.offer(merged)

    def be_quiet(self):
        target, self.pending = self.pending[0], None
        if target is None:
            if self.target[0] in FRESH:
                self.spend(FRESH)
        elif target != self.target:
            self.take(target)

    # ------------------------------------------------------------------------------------------------ time

    def first(self):
        due = []
        if self.pending:
            due.append((min(self.pending[2] + 60 * MS, self.pending[1] + 200 * MS), QUIET, 0, None))
        if self.hold_end is not None:
            due.append((self.hold_end, HOLD, 0, None))
        if self.held and self.held[2] is not None and (self.hidden_at is None or self.held[2] <= self.hidden_at):
            due.append((self.held[2], FLASH, 0, None))
        for one in self.sources.values():
            if not one["spent"] and not one["seen"] and one["target"][0] in FRESH:
                due.append((one["stamp"] + FRESH[one["target"][0]], EXPIRY, 0, None))
        for run in self.runs:
            at, rank = run.due()
            if self.hidden_at is None or at <= self.hidden_at:
                due.append((at, rank, run.serial, run))
        due = [(max(one[0], self.now),) + one[1:] for one in due]
        return min(due, key=lambda one: one[:3], default=None)

    def advance(self, end):
        while True:
            due = self.first()
            if due is None or due[0] > end:
                break
            self.now, rank, _, run = due
            if rank == QUIET:
                self.be_quiet()
            elif rank == HOLD:
                self.spend((self.target[0],))
            elif rank == FLASH:
                self.held = None
                self.show(self.own())
            elif rank == EXPIRY:
                self.expire()
            elif rank == EVENT:
                self.swap(run)
            else:
                self.end(run)
        self.now = max(self.now, end)

    def settle(self):
        self.advance(self.now)

    # ------------------------------------------------------------------------------------------------ calls

    def do(self, step):
        if "advance_ms" in step:
            self.advance(self.now + step["advance_ms"] * MS)
            return
        name = next(iter(step))
        getattr(self, "do_" + name)(step)
        self.settle()

    def do_event(self, step):
        event = step["event"]
        if event["type"] == "dismiss":
            self.offer(None)
            return
        self.arrivals += 1
        stamp = event["ts"] * MS if "ts" in event else self.now
        self.sources[event.get("sessionId", "")] = {"target": target_of(event), "stamp": stamp, "seen": False,
                                                    "spent": False, "arrival": self.arrivals}
        self.merged = self.merge()
        self.offer(self.merged)

    def do_request(self, step):
        slot = step["request"]
        self.pending = None
        target = ("active", slot) if slot in ("thinking", "working") else (slot, "")
        if target != self.target:
            self.take(target, slot)

    def do_click(self, _):
        if not self.pet["timed"]:
            self.offer(None)
        picture = self.there(self.pet["click_pose"])
        if picture:
            self.show(picture)
        self.click_swapped, self.click_generation = picture is not None, self.generation
        self.click = self.start("click", "user:click")
        self.open(self.click)

    def do_flash(self, step):
        picture = self.there(step["flash"])
        if picture:
            self.give_way()
            self.held = ("flash", picture, self.motion() + step["ms"] * MS if step["ms"] > 0 else None)
            self.show(picture)

    def play_over(self):
        self.play = None
        if self.held and self.held[0] == "play":
            self.held = None
            self.show(self.own())

    def do_play(self, step):
        if not step["interrupt"] and (self.enter or self.play):
            return
        self.give_way()
        if self.play:
            self.cancel(self.play)
            self.play_over()
        self.play = self.start("play", step["play"])
        self.open(self.play)

    def do_hidden(self, step):
        if step["hidden"] and self.hidden_at is None:
            self.hidden_at = self.now
        elif not step["hidden"] and self.hidden_at is not None:
            stood = self.now - self.hidden_at
            self.hidden_at = None
            for run in self.runs:
                run.origin += stood
            if self.held and self.held[2] is not None:
                self.held = self.held[:2] + (self.held[2] + stood,)

    def do_reduced_motion(self, step):
        self.reduced = step["reduced_motion"]
        if not self.enter:
            self.refresh()


# ---------------------------------------------------------------------------------------------------- stories by chance

def animation(kind, name, ms, swaps, has_tracks, mode="once"):
    layer = "sway.rotation" if kind == "ambient" else "transition.x"
    track = {"property": layer, "keyframes": [{"at": 0, "value": 0}, {"at": 1, "value": 0}]}
    made = {"version": 1, "id": name, "name": name, "kind": kind, "durationMs": ms, "repeat": {"mode": mode},
            "tracks": [track] if has_tracks else []}
    if kind != "ambient":
        made["events"] = [dict({"at": at, "type": "pose-swap"}, **({"pose": pose} if pose else {})) for at, pose in swaps]
    return made


class Story:
    """A pet as its file says it and as the model knows it, and what happens to it."""

    def __init__(self, number):
        self.chance = random.Random(number)
        pick, odds = self.chance.choice, self.odds
        self.profile = pick(["document", "original"])
        honours = pick([None, True, False])
        self.clips = {"builtin:activity-swap": (170 * MS, [(0.4, None)], True)}
        self.animations = []
        self.pet = {
            "change_pose": odds(0.5), "timed": odds(0.7), "activity_swap": pick(["subtle", "state", "none"]),
            "hold": {"success": pick([0, 50, 200, 1600, 1700]) * MS, "error": pick([0, 60, 300, 1800, 4000]) * MS},
            "click_swaps": honours if honours is not None else self.profile == "document",
            "click_pose": pick([None, None, "error", "waiting"]), "clips": self.clips, "enters": {}, "lanes": {},
            "pictures": {slot for slot in SLOTS if odds(0.7)},
            "poses": {slot: slot if odds(0.8) else pick(SLOTS) for slot in SLOTS}}
        self.add_animations()
        click = {"animation": "user:click", "pose": self.pet["click_pose"]}
        if honours is not None:
            click["honorAnimationPoseSwap"] = honours
        self.config = {
            "global": {name + "HoldMs": self.pet["hold"][name] // MS for name in FRESH},
            "advanced": {"changePoseWithinActive": self.pet["change_pose"], "activityTransition": self.pet["activity_swap"],
                         "terminalHold": "timed" if self.pet["timed"] else "until-interaction"},
            "interactions": {"click": click},
            "poses": {slot: {"assetId": slot} if slot in self.pet["pictures"] else {} for slot in SLOTS},
            "states": {slot: self.state(slot) for slot in SLOTS}}
        self.steps = [{"advance_ms": 0}]
        self.now_ms = 0
        for _ in range(60):
            step = self.step()
            self.now_ms += step.get("advance_ms", 0)
            self.steps.append(step)
        self.steps += [{"hidden": False}, {"advance_ms": 9000}]

    def odds(self, share):
        return self.chance.random() < share

    def add(self, kind, name, ms, swaps, has_tracks=True, mode="once"):
        self.clips[name] = (ms * MS if mode == "once" else FOREVER, swaps, has_tracks)
        self.animations.append(animation(kind, name, ms, swaps, has_tracks, mode))

    def some_swaps(self):
        return sorted((self.chance.choice([0, 0.25, 0.5, 0.5, 1]), self.chance.choice(["waiting", "success", "user:none"]))
                      for _ in range(self.chance.randint(0, 3)))

    def add_animations(self):
        pick = self.chance.choice
        self.add("interaction", "user:click", pick([100, 200, 400]), self.some_swaps(), self.odds(0.8))
        self.add("interaction", "user:play", pick([100, 200, 1000]), self.some_swaps(), self.odds(0.8))
        self.add("interaction", "user:other", pick([200, 400]), self.some_swaps())
        self.add("transition", "user:enter", 200, [(pick([0, 0.5, 1]), None)], self.odds(0.8))
        self.add("ambient", "user:once", pick([100, 300]), [])
        self.add("ambient", "user:loop", 500, [], mode="loop")
        for name in ("bounce", "sway", "breathe"):
            self.clips["builtin:" + name] = (FOREVER, [], True)

    def state(self, slot):
        pick = self.chance.choice
        made = {"pose": self.pet["poses"][slot], "enter": {"preset": "soft", "durationMs": pick([100, 200, 300])}}
        clip = pick(["builtin:none", "builtin:soft", "builtin:snap", "user:enter"])
        if clip == "user:enter":
            made["enter"]["animationId"] = clip
        else:
            made["enter"]["preset"] = clip.split(":")[1]
        swaps = {"builtin:none": [(0, None)], "builtin:soft": [(0.4, None)], "builtin:snap": [(0.48, None)]}
        ms = made["enter"]["durationMs"]  # stated, so it counts for a custom one as well
        own = "%s %d" % (clip, ms)
        has_tracks = self.clips[clip][2] if clip in self.clips else clip != "builtin:none"
        self.clips[own] = (ms * MS, swaps.get(clip) or self.clips[clip][1], has_tracks)
        self.pet["enters"][slot] = own
        made["ambient"], self.pet["lanes"][slot] = self.ambient(slot)
        return made

    def ambient(self, slot):
        if slot == "working" and self.odds(0.3):  # as in thinking: what is alike goes on through a silent swap
            return self.thinking_ambient
        ambient, lanes = {}, []
        for name, settings in (("bounce", {"strength": [0.2, 0.4], "intervalMinMs": [500], "intervalMaxMs": [900]}),
                               ("sway", {"angleDeg": [1, 2], "periodMs": [3000, 4000]}),
                               ("breathe", {"strength": [0.1, 0.2], "periodMs": [2000]})):
            chosen = {key: self.chance.choice(values) for key, values in settings.items()}
            on = self.odds(0.5)
            lanes.append(("builtin:" + name,) + tuple(chosen.values()) if on else None)
            ambient[name] = dict(chosen, enabled=on)
        custom = self.chance.choice([None, "user:once", "user:loop"])
        ambient["customAnimationId"] = custom
        lanes.append((custom,) if custom else None)
        if slot == "thinking":
            self.thinking_ambient = ambient, lanes
        return ambient, lanes

    def event(self):
        pick = self.chance.choice
        event = {"type": pick(["idle", "turn-start", "thinking", "tool-start", "tool-end", "waiting", "success", "error",
                               "success", "error", "dismiss"])}
        if event["type"] == "dismiss":
            return event
        if self.odds(0.6):
            event["sessionId"] = pick("abc")
        if self.odds(0.2):
            event["ts"] = self.now_ms - pick([0, 1, 100, 1599, 1600, 1799, 1800, 5000, -100, -1000])
        if event["type"] == "tool-start" and self.odds(0.7):
            event["toolKind"] = pick(["edit", "command", "other"])
        return event

    def step(self):
        pick, share = self.chance.choice, self.chance.random()
        if share < 0.42:
            return {"advance_ms": pick([0, 1, 10, 25, 40, 50, 59, 60, 61, 80, 100, 140, 200, 250, 400, 1000, 1600, 1740])}
        if share < 0.68:
            return {"event": self.event()}
        if share < 0.74:
            return {"request": pick(SLOTS)}
        if share < 0.81:
            return {"click": True}
        if share < 0.87:
            return {"flash": pick(SLOTS), "ms": pick([0, 50, 100, 300])}
        if share < 0.93:
            return {"play": pick(["user:play", "user:other", "user:enter", "user:click"]), "interrupt": self.odds(0.7)}
        return {"hidden": self.odds(0.5)} if share < 0.97 else {"reduced_motion": self.odds(0.5)}

    def expected(self):
        model = Model(self.pet)
        for step in self.steps:
            model.do(step)
        return [tuple(word.split(" ")[0] if isinstance(word, str) else word for word in one) for one in model.told]

    def played(self, program, folder):
        paths = [os.path.join(folder, name) for name in ("pet.json", "animations.json", "steps.json")]
        pack = {"format": "motion-pack", "version": 1, "name": "p", "namespace": "user", "animations": self.animations}
        for path, content in zip(paths, (self.config, pack, self.steps)):
            with open(path, "w", encoding="utf-8") as file:
                json.dump(content, file)
        done = subprocess.run([program, "trace", folder, "--script", paths[2], "--profile", self.profile],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != 0:
            raise RuntimeError("exit %d: %s" % (done.returncode, done.stderr.decode()))
        members = {"state": ("state", "slot"), "picture": ("picture",), "start": ("clip",), "end": ("clip", "how")}
        told = []
        for line in done.stdout.splitlines():
            for event in json.loads(line)["events"]:
                if event["kind"] in members:
                    words = tuple(event[member] for member in members[event["kind"]])
                    words += (event.get("activity", ""),) if event["kind"] == "state" else ()
                    told.append((round(event["t_ms"] * MS), event["kind"]) + words)
        return told


def main():
    program = os.path.abspath(sys.argv[1])
    first, count = (int(word) for word in sys.argv[2:4]) if len(sys.argv) > 3 else (0, 150)
    faults, lines = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, first + count):
            story = Story(number)
            expected, played = story.expected(), story.played(program, folder)
            lines += len(expected)
            if expected == played:
                continue
            faults += 1
            at = next((i for i, pair in enumerate(zip(expected, played)) if pair[0] != pair[1]),
                      min(len(expected), len(played)))
            print("story %d (%s) differs from line %d on:" % (number, story.profile, at))
            print("  expected %s\n  played   %s" % (expected[max(0, at - 3):at + 3], played[max(0, at - 3):at + 3]))
            print("  pet   %s\n  steps %s" % (json.dumps(story.config), json.dumps(story.steps)))
            if faults == 3:
                break
    print("%d stories of %d lines, %d differ" % (count, lines, faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
