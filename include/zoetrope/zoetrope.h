// Zoetrope in one include, in the order in which one learns it: version and status, compile, inspect, play, sample,
// going back, textures, meshes, draw, documents, libraries, packages, character packs.
#ifndef ZOETROPE_H
#define ZOETROPE_H

#include <zoetrope/base.h>
#include <zoetrope/compile.h>
#include <zoetrope/inspect.h>
#include <zoetrope/play.h>
#include <zoetrope/sample.h>
#include <zoetrope/timeline.h>
#include <zoetrope/image.h>
#include <zoetrope/texture.h>
#include <zoetrope/mesh.h>
#include <zoetrope/draw.h>
#include <zoetrope/document.h>
#include <zoetrope/library.h>
#include <zoetrope/package.h>
#include <zoetrope/charpack.h>

#endif
