// The two tables of the command line: commands and options. Parsing (args.c), help (help.c), the manual page (manual.c)
// and the shells' completions (completions.c) all read them, so what is accepted and what is printed cannot part.
#include <string.h>

#include "cli.h"

const cli_command cli_commands[] = {
    {"check", CLI_CHECK, "PATH...", "say what is wrong with animation files, all of it, with places",
     "  zoetrope check bounce.json\n"
     "  zoetrope check animations                          every *.json and *.b3d in a folder\n"
     "  zoetrope check --output gcc animations/*.json      for an editor's problem list\n"
     "  zoetrope check --output sarif animations           for code scanning; github: for annotations\n"
     "  zoetrope check --fix bounce.json                   misspelt words, commas too many\n"
     "  zoetrope check --profile original bounce.json      as the program behind the format sees it\n"
     "  zoetrope check --deep fox                          a character pack and all its textures\n"
     "  zoetrope check --contract amadeus fox              a character pack: one line, for scripts\n"
     "  cat bounce.json | zoetrope check -\n",
     cli_check},
    {"info", CLI_INFO, "PATH", "say what is in a file: clips, channels, events, parameters, pictures",
     "  zoetrope info slam-land.json\n"
     "  zoetrope info builtin:jelly --output json\n"
     "  zoetrope info praxi --graph mermaid                  its states; dot: for Graphviz\n",
     cli_info},
    {"sample", CLI_SAMPLE, "PATH", "print channel values at times",
     "  zoetrope sample slam-land.json --at 0,0.3,0.42,1\n"
     "  zoetrope sample slam-land.json --at 25%,120ms --set strength=1.5\n"
     "  zoetrope sample slam-land.json --fps 60 --output csv > values.csv\n",
     cli_sample},
    {"trace", CLI_TRACE, "PATH --script FILE", "play a script, print a JSON line for each step: state, runs, events",
     "  zoetrope trace praxi --script praxi/film.json        a pet: a folder, its JSON file, or a zip\n"
     "  zoetrope trace praxi --script film.json --values > values.jsonl\n"
     "  echo '{\"advance_ms\": 300}' | zoetrope trace slam-land.json --script -\n",
     cli_trace},
    {"play", CLI_PLAY, "PATH", "play the animation in the terminal, with keys for states, time and speed",
     "  zoetrope play praxi                           a pet: 1 to 6 are its states, c or the mouse clicks\n"
     "  zoetrope play --watch praxi                   made anew at every save, where it stands\n"
     "  zoetrope play slam-land.json --watch --set strength=2\n"
     "  zoetrope play builtin:jelly --picture idle=cat.png --picture success=cat-happy.png\n",
     cli_play},
    {"render", CLI_RENDER, "PATH... -o OUT",
     "draw the animation: .webp .gif .apng .mp4 .webm .png .json (atlas) .rgba",
     "  zoetrope render slam-land.json -o slam.webp\n"
     "  zoetrope render slam-land.json -o slam.gif --fps 25 --size 256x256 --background '#203040'\n"
     "  zoetrope render slam-land.json -o 'frames/%04d.png' --from 0.1s --to 0.3s\n"
     "  zoetrope render slam-land.json -o still.png --at 42%\n"
     "  zoetrope render slam-land.json -o sheet.png --sheet 12\n"
     "  zoetrope render slam-land.json -o slam.json --size 128x128    atlas: slam.json and slam.png\n"
     "  zoetrope render animations/*.json -o 'out/{name}.webp'\n"
     "  zoetrope render wave.json -o wave.webp --picture idle=cat.png --picture success=cat-happy.png\n"
     "  zoetrope render builtin:jelly -o jelly.webp --set strength=2\n",
     cli_render},
    {"dump", CLI_DUMP, "PATH", "list every record of the compiled program, or the merged keyframe lists",
     "  zoetrope dump slam-land.json\n"
     "  zoetrope dump slam-land.json --keyframes      keyframe lists for a browser's element.animate()\n"
     "  zoetrope dump pack.json --keyframes --clip user:wave\n",
     cli_dump},
    {"convert", CLI_CONVERT, "PATH --to FORMAT -o OUT",
     "write a pet or a model in another form: to hand on, or to work in",
     "  zoetrope convert praxi --to pet-package -o praxi.zip     with what it names, and nothing else\n"
     "  zoetrope convert praxi.zip --to pet -o unpacked          pet.json, animations/ and assets/\n"
     "  zoetrope convert chest.b3d --to b3d-source -o text.json   a B3D model; back: --to b3d\n"
     "  zoetrope convert frog.json --to bedrock -o frog          a Forge machine as Bedrock's files\n",
     cli_convert},
    {"charpack", CLI_CHARPACK, "VERB PATH -o OUT",
     "build a character pack of PNG pictures and one JSON file, or take one apart",
     "  zoetrope charpack build fox-source -o fox             a folder with pack.json, or such a file\n"
     "  zoetrope charpack build fox-source -o fox --replace   in place of the pack that is there\n"
     "  zoetrope charpack unpack fox -o fox-pictures          its pictures and their pack.json\n",
     cli_charpack},
    {"explain", CLI_EXPLAIN, "[ID...]", "explain a diagnostic: the rule, its reason, the way out",
     "  zoetrope explain petween/layer-easing\n"
     "  zoetrope explain                                    lists them all\n",
     cli_explain},
    {"schema", CLI_SCHEMA, "[FORMAT]", "print a format as a JSON Schema, for editors and validators",
     "  zoetrope schema petween > petween.schema.json\n"
     "  zoetrope schema                                     lists the formats\n",
     cli_schema},
    {"library", CLI_LIBRARY, "VERB [ID|PATH]...",
     "keep animations of all formats in one file, with their history: import, export, find, mount, restore",
     "  zoetrope library import lantern.json             a pack, a pet, a machine, a character, a folder\n"
     "  zoetrope library list wave                       what has the word; all without one\n"
     "  zoetrope library show user:wave                  its files, what it uses and who uses it\n"
     "  zoetrope library export user:wave -o wave.json   its bytes as they came; --ids: a motion pack\n"
     "  zoetrope library clone builtin:comic-pop --id user:mine\n"
     "  zoetrope library mount user:mine success\n"
     "  zoetrope library remove user:wave\n"
     "  zoetrope library history user:wave               every change, with its number\n"
     "  zoetrope library restore user:wave               back as it was\n"
     "  zoetrope library check                           nothing is damaged, and all still compiles\n"
     "  zoetrope library import lantern.json --dir ~/motions    a folder of animations instead\n",
     cli_library},
    {"serve", CLI_SERVE, "", "serve the library over HTTP, to this machine unless told otherwise",
     "  zoetrope serve --library motions.db              prints where; ends at Ctrl-C, with nothing lost\n"
     "  zoetrope serve --port 0 --log errors             on any port that is free\n"
     "  zoetrope serve --library motions.db --watch examples/petween\n"
     "  zoetrope serve --host 0.0.0.0 --token @token.txt --allow-host studio.lan\n",
     cli_serve},
    {"help", CLI_HELP, "[COMMAND]", "print help, the manual page, or completions for a shell",
     "  zoetrope help render\n"
     "  zoetrope help --man | man -l -\n"
     "  source <(zoetrope help --completions bash)\n", cli_help},
    {NULL, 0, NULL, NULL, NULL, NULL},
};

// In the order of the numbers that they stand for: zo_report_style, the branches of info and sample, zo_profile,
// zo_model, zo_b3d_keys, zo_repeat.
static const cli_values outputs[] = {{CLI_CHECK, CLI_WORDS_DEFAULTED, "human json gcc sarif github"},
                                     {CLI_INFO | CLI_LIBRARY, CLI_WORDS_DEFAULTED, "human json"},
                                     {CLI_SAMPLE, CLI_WORDS_DEFAULTED, "json csv"},
                                     {CLI_RENDER, CLI_WORDS_DEFAULTED, "human json"},
                                     {0, CLI_WORDS, NULL}};
static const cli_values profiles[] = {{CLI_ANY, CLI_WORDS_DEFAULTED, "document original"}, {0, CLI_WORDS, NULL}};
static const cli_values poses[] = {{CLI_ANY, CLI_WORDS_DEFAULTED, "exact sampled"}, {0, CLI_WORDS, NULL}};
static const cli_values models[] = {
    {CLI_ANY, CLI_WORDS_DEFAULTED, "auto contract renderer state_machine simulator"}, {0, CLI_WORDS, NULL}};
static const cli_values frame_keys[] = {{CLI_ANY, CLI_WORDS_DEFAULTED, "auto blitz forge"}, {0, CLI_WORDS, NULL}};
static const cli_values draft_repeats[] = {{CLI_ANY, CLI_WORDS_DEFAULTED, "length letter"}, {0, CLI_WORDS, NULL}};
static const cli_values draft_uniforms[] = {{CLI_ANY, CLI_WORDS_DEFAULTED, "pass samples"}, {0, CLI_WORDS, NULL}};
static const cli_values contracts[] = {{CLI_ANY, CLI_WORDS, "amadeus"}, {0, CLI_WORDS, NULL}};
static const cli_values tangents[] = {{CLI_ANY, CLI_WORDS_DEFAULTED, "line step"}, {0, CLI_WORDS, NULL}};
static const cli_values repeats[] = {{CLI_ANY, CLI_WORDS, "once loop alternate"}, {0, CLI_WORDS, NULL}};
static const cli_values colors[] = {{CLI_ANY, CLI_WORDS_DEFAULTED, "auto always never"}, {0, CLI_WORDS, NULL}};
static const cli_values shells[] = {{CLI_ANY, CLI_WORDS, "bash zsh fish"}, {0, CLI_WORDS, NULL}};
static const cli_values terminals[] = {{CLI_ANY, CLI_WORDS_DEFAULTED, "auto kitty sixel symbols blocks"},
                                       {0, CLI_WORDS, NULL}};
// as http_log_level has them
static const cli_values logs[] = {{CLI_ANY, CLI_WORDS_DEFAULTED, "all errors none"}, {0, CLI_WORDS, NULL}};
// as info.c has them
static const cli_values graphs[] = {{CLI_ANY, CLI_WORDS, "dot mermaid"}, {0, CLI_WORDS, NULL}};
// as convert.c has them
static const cli_values targets[] = {{CLI_ANY, CLI_WORDS, "pet-package pet b3d b3d-source bedrock"},
                                     {0, CLI_WORDS, NULL}};
static const cli_values formats[] = {{CLI_ANY, CLI_FORMAT, NULL}, {0, CLI_WORDS, NULL}};
static const cli_values files[] = {{CLI_ANY, CLI_FILE, NULL}, {0, CLI_WORDS, NULL}};
static const cli_values named_files[] = {{CLI_ANY, CLI_NAME_FILE, NULL}, {0, CLI_WORDS, NULL}};

const cli_option cli_options[CLI_OPT_COUNT] = {
    [CLI_OPT_ALL] = {"all", 0, NULL, CLI_SAMPLE, CLI_GROUP_OUTPUT, NULL,
        "all channels, also those that the clip leaves at rest"},
    [CLI_OPT_ALLOW_HOST] = {"allow-host", 0, "NAME", CLI_SERVE, CLI_GROUP_INPUT, NULL,
        "a name that requests may come to, besides the address and localhost; others are refused, so that no web page "
        "can reach in by a name of its own; may be repeated"},
    [CLI_OPT_ASSETS] = {"assets", 0, "DIR", CLI_INPUTS | CLI_LIBRARY, CLI_GROUP_INPUT, files,
        "where pictures and sounds lie that are not beside the input"},
    [CLI_OPT_AT] = {"at", 0, "T[,T...]", CLI_SAMPLE | CLI_RENDER, CLI_GROUP_TIME, NULL,
        "times: 120ms, 0.5s, 50%, or a bare number in the clip's own unit (render: one time, one picture)"},
    [CLI_OPT_B3D_KEYS] = {"b3d-keys", 0, "HOW", CLI_INPUTS, CLI_GROUP_INPUT, frame_keys,
        "B3D models: keys are blended however far apart (blitz), or count at their frames alone, and only bones move "
        "anything (forge); auto: as the format has it that names the model, blitz where none does"},
    [CLI_OPT_BACKGROUND] = {"background", 0, "COLOR", CLI_PLAY | CLI_RENDER, CLI_GROUP_PICTURE, NULL,
        "#rgb, #rrggbb, #rrggbbaa or none (the default; an .mp4 then is white; play: what lets the pictures be seen)"},
    [CLI_OPT_CAMERA] = {"camera", 0, "YAW,PITCH[,ZOOM[,FIELD]]", CLI_PLAY | CLI_RENDER, CLI_GROUP_PICTURE, NULL,
        "from where what stands in space is seen: degrees that it is turned about its upright axis, then towards you; "
        "how much larger than fits; degrees of view, with perspective; 225,30,1 when not given, as blocks stand in an "
        "inventory"},
    [CLI_OPT_CLEAR] = {"clear", 0, NULL, CLI_LIBRARY, CLI_GROUP_OTHER, NULL,
        "mount: what the slot plays is taken out of it"},
    [CLI_OPT_CLIP] = {"clip", 0, "NAME", CLI_SAMPLE | CLI_TRACE | CLI_PLAY | CLI_RENDER | CLI_DUMP, CLI_GROUP_INPUT,
                      NULL,
        "which clip; the first when not given (trace, play, render: of a pet, what its states play; "
        "dump --keyframes: all)"},
    [CLI_OPT_COLOR] = {"color", 0, "WHEN", CLI_INPUTS | CLI_LIBRARY | CLI_CHARPACK, CLI_GROUP_OUTPUT, colors,
        "when to colour what is printed (NO_COLOR is honoured)"},
    [CLI_OPT_COMPLETIONS] = {"completions", 0, "SHELL", CLI_HELP, CLI_GROUP_OUTPUT, shells,
        "print completions for a shell"},
    [CLI_OPT_CONTRACT] = {"contract", 0, "NAME", CLI_CHECK, CLI_GROUP_OUTPUT, contracts,
        "print the one line that the format's own validator prints, for one pack, with its exit code"},
    [CLI_OPT_DEEP] = {"deep", 0, NULL, CLI_CHECK, CLI_GROUP_INPUT, NULL,
        "character packs: also open and decode every texture, one at a time"},
    [CLI_OPT_DIR] = {"dir", 0, "DIR", CLI_LIBRARY, CLI_GROUP_INPUT, files,
        "a folder of animations as the library instead of a file, for import, export, list, clone and remove; import "
        "and clone make it when it is not there"},
    [CLI_OPT_DRAFT_REPEAT] = {"draft-repeat", 0, "HOW", CLI_INPUTS, CLI_GROUP_INPUT, draft_repeats,
        "drafts of Forge: a counted repeat wraps at its length, or by the letter of the formula, at the count"},
    [CLI_OPT_DRAFT_UNIFORM] = {"draft-uniform", 0, "HOW", CLI_INPUTS, CLI_GROUP_INPUT, draft_uniforms,
        "drafts of Forge: uniform samples lie evenly over one pass, of which the time is 0 to 1, or one a unit of time "
        "(samples)"},
    [CLI_OPT_DRY_RUN] = {"dry-run", 0, NULL, CLI_CHECK | CLI_LIBRARY, CLI_GROUP_OUTPUT, NULL,
        "show what would be changed, and change nothing (check: with --fix)"},
    [CLI_OPT_DURATION] = {"duration", 0, "T", CLI_RENDER | CLI_DUMP, CLI_GROUP_TIME, NULL,
        "play the clip in this time instead of its own"},
    [CLI_OPT_FIX] = {"fix", 0, NULL, CLI_CHECK, CLI_GROUP_OUTPUT, NULL,
        "mend in place what can be mended without guessing"},
    [CLI_OPT_FORMAT] = {"format", 0, "NAME", CLI_INPUTS | CLI_LIBRARY, CLI_GROUP_INPUT, formats,
        "the format of the input (library list: only what is of it)"},
    [CLI_OPT_FPS] = {"fps", 0, "F", CLI_SAMPLE | CLI_PLAY | CLI_RENDER, CLI_GROUP_TIME, NULL,
        "frames a second, fractions allowed (render, play: 30)"},
    [CLI_OPT_FRAMES] = {"frames", 0, "A-B", CLI_RENDER, CLI_GROUP_TIME, NULL,
        "only frames A to B of those that would be rendered, from 0; B is shown too"},
    [CLI_OPT_FROM] = {"from", 0, "T", CLI_SAMPLE | CLI_RENDER, CLI_GROUP_TIME, NULL,
        "start at this time; what came before is played, not shown"},
    [CLI_OPT_GRAPH] = {"graph", 0, "KIND", CLI_INFO, CLI_GROUP_OUTPUT, graphs,
        "the states and the ways between them as text that other programs draw; dashed: on request alone"},
    [CLI_OPT_HELP] = {"help", 'h', NULL, CLI_ANY, CLI_GROUP_OTHER, NULL,
        "print the command's help"},
    [CLI_OPT_HOST] = {"host", 0, "ADDRESS", CLI_SERVE, CLI_GROUP_INPUT, NULL,
        "where to listen; 127.0.0.1, this machine alone, when not given; any other address wants --token"},
    [CLI_OPT_ID] = {"id", 0, "ID", CLI_LIBRARY, CLI_GROUP_INPUT, NULL,
        "clone: the id of the clone, such as user:mine; import: that of one thing that has none in it"},
    [CLI_OPT_IDS] = {"ids", 0, "ID[,ID...]", CLI_LIBRARY, CLI_GROUP_INPUT, NULL,
        "export: the animations that go into the pack, in this order"},
    [CLI_OPT_KEYFRAMES] = {"keyframes", 0, NULL, CLI_DUMP, CLI_GROUP_OUTPUT, NULL,
        "the merged keyframe lists as JSON instead of the program"},
    [CLI_OPT_LEVEL] = {"level", 0, "N", CLI_CHARPACK, CLI_GROUP_OUTPUT, NULL,
        "build: how hard textures are compressed, 1 to 22; what the file says, or 12, when not given"},
    [CLI_OPT_LIBRARY] = {"library", 0, "FILE", CLI_LIBRARY | CLI_SERVE, CLI_GROUP_INPUT, files,
        "the file that holds the library, made where it is not there by what writes to it; library.db in the user's "
        "data folder when not given"},
    [CLI_OPT_LOG] = {"log", 0, "WHAT", CLI_SERVE, CLI_GROUP_OUTPUT, logs,
        "the log, a JSON object a line, on the standard error output: every request, those that fail, or nothing"},
    [CLI_OPT_LOOP] = {"loop", 0, "N", CLI_RENDER, CLI_GROUP_OUTPUT, NULL,
        "how often a moving picture plays; 0, the default: for ever (a video: once)"},
    [CLI_OPT_MAN] = {"man", 0, NULL, CLI_HELP, CLI_GROUP_OUTPUT, NULL,
        "print the manual page"},
    [CLI_OPT_MAX_ERRORS] = {"max-errors", 0, "N", CLI_CHECK, CLI_GROUP_OUTPUT, NULL,
        "show at most N diagnostics a file, and count the rest; 100 when not given"},
    [CLI_OPT_MEMORY] = {"memory", 0, "BYTES", CLI_PLAY | CLI_RENDER, CLI_GROUP_PICTURE, NULL,
        "how much the textures of a character pack may take, such as 64M or 2G; 512M when not given"},
    [CLI_OPT_MODEL] = {"model", 0, "NAME", CLI_INPUTS, CLI_GROUP_INPUT, models,
        "character packs: which program's way of going through the graph; auto: contract, or renderer with "
        "--profile original"},
    [CLI_OPT_NAME] = {"name", 0, "TEXT", CLI_LIBRARY | CLI_CONVERT, CLI_GROUP_OUTPUT, NULL,
        "export: what people see when they import the pack; Motion Pack when not given (convert: "
        "what they call the pet; "
        "what its configuration says, or the input's name, when not given)"},
    [CLI_OPT_NEAREST] = {"nearest", 0, NULL, CLI_PLAY | CLI_RENDER, CLI_GROUP_PICTURE, NULL,
        "no smoothing of enlarged pictures, for pixel art"},
    [CLI_OPT_NEXT] = {"next", 0, "PICTURE", CLI_PLAY | CLI_RENDER, CLI_GROUP_PICTURE, NULL,
        "the picture that an unnamed swap turns to"},
    [CLI_OPT_NULL_TANGENT] = {"null-tangent", 0, "HOW", CLI_INPUTS, CLI_GROUP_INPUT, tangents,
        "what a null tangent of an enemy animation makes between two keys: a straight line, as the original draws it, "
        "or the step that its author meant"},
    [CLI_OPT_OUT] = {"out", 'o', "OUT", CLI_RENDER | CLI_LIBRARY | CLI_CONVERT | CLI_CHARPACK, CLI_GROUP_OUTPUT, files,
        "the file to write (convert, library export: or the folder; charpack: the folder); its ending names the kind; "
        "%d or %04d in a .png name numbers frames; "
        "{name} is the input's name, which several inputs want"},
    [CLI_OPT_OUTPUT] = {"output", 0, "KIND", CLI_CHECK | CLI_INFO | CLI_SAMPLE | CLI_LIBRARY | CLI_RENDER,
        CLI_GROUP_OUTPUT, outputs,
        "the form of what is printed; of render json is a line for each step of its progress, and the report in one"},
    [CLI_OPT_PET] = {"pet", 0, "ID", CLI_LIBRARY, CLI_GROUP_INPUT, NULL,
        "mount: the pet whose slots are meant; the active one when not given"},
    [CLI_OPT_PICTURE] = {"picture", 0, "NAME=FILE", CLI_PLAY | CLI_RENDER, CLI_GROUP_PICTURE, named_files,
        "a PNG, WebP or JPEG for a picture name; may be repeated; without any, a pet of ours is shown"},
    [CLI_OPT_PORT] = {"port", 0, "N", CLI_SERVE, CLI_GROUP_INPUT, NULL,
        "the port to listen at; 8420 when not given; 0: any that is free"},
    [CLI_OPT_POSES] = {"poses", 0, "HOW", CLI_INPUTS, CLI_GROUP_INPUT, poses,
        "enemy animations: every curve exactly, or poses at the times of keys with straight lines between, as the "
        "original program plays them"},
    [CLI_OPT_PROFILE] = {"profile", 0, "NAME", CLI_INPUTS | CLI_SCHEMA | CLI_LIBRARY, CLI_GROUP_INPUT, profiles,
        "as the format is written down, or as the program behind it behaves"},
    [CLI_OPT_QUIET] = {"quiet", 'q', NULL, CLI_CHECK | CLI_RENDER | CLI_LIBRARY | CLI_CONVERT | CLI_CHARPACK,
                       CLI_GROUP_OUTPUT, NULL,
        "no word about what went well, and no progress"},
    [CLI_OPT_REDUCED_MOTION] = {"reduced-motion", 0, NULL, CLI_TRACE | CLI_PLAY | CLI_RENDER | CLI_DUMP,
                                CLI_GROUP_TIME, NULL,
        "as shown to people who asked for less motion"},
    [CLI_OPT_RENDERS] = {"renders", 0, "N", CLI_SERVE, CLI_GROUP_OUTPUT, NULL,
        "how many are rendered at once, at most 16; the processors less one when not given"},
    [CLI_OPT_RENDERS_WAITING] = {"renders-waiting", 0, "N", CLI_SERVE, CLI_GROUP_OUTPUT, NULL,
        "how many renders may wait, at most 500; 64 when not given"},
    [CLI_OPT_RENDER_SECONDS] = {"render-seconds", 0, "S", CLI_SERVE, CLI_GROUP_OUTPUT, NULL,
        "how long one render may take; 120 when not given"},
    [CLI_OPT_REPEAT] = {"repeat", 0, "MODE", CLI_RENDER | CLI_DUMP, CLI_GROUP_TIME, repeats,
        "instead of the clip's own"},
    [CLI_OPT_REPLACE] = {"replace", 0, NULL, CLI_CHARPACK | CLI_LIBRARY, CLI_GROUP_OUTPUT, NULL,
        "charpack build: a pack that is there already gives way once the new one is whole; library import: so does "
        "what has the same id"},
    [CLI_OPT_REVISION] = {"revision", 0, "N", CLI_LIBRARY, CLI_GROUP_INPUT, NULL,
        "export, show, restore: as it was after this change, which 'library history' has the number of"},
    [CLI_OPT_RIG] = {"rig", 0, "FILE", CLI_INPUTS | CLI_LIBRARY, CLI_GROUP_INPUT, files,
        "the bones and sprites of an enemy; rig.json beside the clip when not given"},
    [CLI_OPT_SCALE] = {"scale", 0, "S", CLI_PLAY | CLI_RENDER, CLI_GROUP_PICTURE, NULL,
        "pixels a unit of the animation; fits the picture when not given"},
    [CLI_OPT_SCRIPT] = {"script", 0, "FILE", CLI_TRACE | CLI_PLAY | CLI_RENDER, CLI_GROUP_TIME, files,
        "what happens on the way: an array of steps, or one a line, "
        "such as {\"advance_ms\": 500} and {\"click\": true}"},
    [CLI_OPT_SEED] = {"seed", 0, "N", CLI_TRACE | CLI_PLAY | CLI_RENDER, CLI_GROUP_TIME, NULL,
        "of the random numbers; 0 when not given"},
    [CLI_OPT_SET] = {"set", 0, "NAME=VALUE", CLI_SAMPLE | CLI_TRACE | CLI_PLAY | CLI_RENDER | CLI_DUMP, CLI_GROUP_TIME,
                     NULL,
        "a parameter's value, or of a machine's control a line over what it is asked for, as 2x or 0.5x+1; may be "
        "repeated"},
    [CLI_OPT_SHEET] = {"sheet", 0, "N", CLI_RENDER, CLI_GROUP_OUTPUT, NULL,
        "a contact sheet: N frames at even distances in one .png"},
    [CLI_OPT_SHOW] = {"show", 0, "PICTURE", CLI_PLAY | CLI_RENDER, CLI_GROUP_PICTURE, NULL,
        "the picture shown at the start"},
    [CLI_OPT_SIZE] = {"size", 0, "WxH", CLI_PLAY | CLI_RENDER, CLI_GROUP_PICTURE, NULL,
        "pixels; 512x512 when not given, or with --scale as large as the stage needs (play: half cells; all there is)"},
    [CLI_OPT_STRICT] = {"strict", 0, NULL, CLI_CHECK | CLI_LIBRARY, CLI_GROUP_INPUT, NULL,
        "also note what is legal but probably not meant"},
    [CLI_OPT_TERMINAL] = {"terminal", 0, "KIND", CLI_PLAY, CLI_GROUP_OUTPUT, terminals,
        "how to show pictures; those but blocks want a zoetrope built with chafa"},
    [CLI_OPT_TO] = {"to", 0, "T", CLI_SAMPLE | CLI_PLAY | CLI_RENDER, CLI_GROUP_TIME, NULL,
        "end before this time; when not given: one pass, and half a second more, or until its particles are gone, "
        "if the clip then stops "
        "(play: leave at this time)"},
    [CLI_OPT_TO_FORMAT] = {"to", 0, "FORMAT", CLI_CONVERT, CLI_GROUP_OUTPUT, targets,
        "the form to write: a package is one zip, a pet is a folder"},
    [CLI_OPT_TOKEN] = {"token", 0, "TOKEN", CLI_SERVE, CLI_GROUP_INPUT, NULL,
        "what every request must carry as 'Authorization: Bearer TOKEN', 16 characters or more; @FILE: the first line "
        "of a file, which other users cannot see as they can a command's words"},
    [CLI_OPT_UASTC] = {"uastc", 0, NULL, CLI_CHARPACK, CLI_GROUP_OUTPUT, NULL,
        "build: textures in UASTC, made by the program basisu: nearly the same pictures in less memory"},
    [CLI_OPT_VALUES] = {"values", 0, NULL, CLI_TRACE, CLI_GROUP_OUTPUT, NULL,
        "also the channels that are not at rest"},
    [CLI_OPT_VERSION] = {"version", 'V', NULL, CLI_ANY, CLI_GROUP_OTHER, NULL,
        "print the version"},
    [CLI_OPT_WATCH] = {"watch", 0, NULL, CLI_PLAY, CLI_GROUP_INPUT, NULL,
        "take the files in anew whenever they are saved, and go on where it stands"},
    [CLI_OPT_WATCH_FOLDER] = {"watch", 0, "DIR", CLI_SERVE, CLI_GROUP_INPUT, files,
        "keep the library in step with the files in this folder: what is saved there is imported"},
};

const cli_command *cli_command_find(const char *name) {
    for (const cli_command *command = cli_commands; command->name != NULL; command++) {
        if (strcmp(command->name, name) == 0) { return command; }
    }
    return NULL;
}

const char *cli_command_verbs(const cli_command *command) {
    switch (command->bit) {
    case CLI_CHARPACK: return "build unpack";
    case CLI_LIBRARY:
        return "import export list show clone remove mount history restore check repair backup"; // library.c
    default: return "";
    }
}

const char *cli_command_name_at(uint32_t index) { return cli_commands[index].name; }

const cli_values *cli_values_of(const cli_option *option, uint32_t command) {
    const cli_values *values = option->values;
    while (values != NULL && values->commands != 0 && (values->commands & command) == 0) { values++; }
    return values != NULL && values->commands != 0 ? values : NULL;
}

static const char *word_of(const cli_values *values, uint32_t index) {
    if (values->kind == CLI_FORMAT) {
        if (index == 0) { return "auto"; }
        return zo_format_at(index - 1) != NULL ? zo_format_at(index - 1)->name : "";
    }
    const char *at = values->words != NULL ? values->words : "";
    for (; index > 0; index--) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    return at;
}

bool cli_word_at(const cli_option *option, uint32_t command, uint32_t index, cli_word *word) {
    const cli_values *values = cli_values_of(option, command);
    if (values == NULL) { return false; }
    const char *at = word_of(values, index);
    snprintf(word->text, sizeof word->text, "%.*s", (int)strcspn(at, " "), at);
    return *at != 0;
}
